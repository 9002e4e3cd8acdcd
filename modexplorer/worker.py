"""What a Dask worker loads first: `dask worker ADDRESS --preload modexplorer.worker`."""

from modexplorer.places import come_first

come_first()
