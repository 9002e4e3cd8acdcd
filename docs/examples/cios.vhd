-- Montgomery's product a * b / 2^(W * WORDS) mod m, word by word: coarsely integrated operand
-- scanning. Memories of a, b and m hold a word at 64 * (0, 1, 2) + place; so does the result's, at
-- 192. minus_inverse is -m^-1 mod 2^W. ready falls with start and rises with the result.
library ieee;
use ieee.std_logic_1164.all, ieee.numeric_std.all;

entity cios is
  generic (W : positive := 16; WORDS : positive := 2);
  port (
    clk, reset, start, write_enable : in std_logic;
    address : in std_logic_vector(7 downto 0);
    data_in, minus_inverse : in std_logic_vector(W - 1 downto 0);
    data_out : out std_logic_vector(W - 1 downto 0);
    ready : out std_logic);
end entity;

architecture serial of cios is
  type words_t is array (0 to WORDS - 1) of unsigned(W - 1 downto 0);
  type state_t is (IDLE, MULTIPLY, QUOTIENT, REDUCE, SHIFT, SUBTRACT);
  signal state : state_t;
  signal a, b, m, t, less : words_t;
  signal high : unsigned(W downto 0);             -- of t, above its words
  signal c, q : unsigned(W - 1 downto 0);
  signal borrow : unsigned(0 downto 0);
  signal i, j, place : natural range 0 to WORDS - 1;
begin
  place <= to_integer(unsigned(address(5 downto 0))) mod WORDS;
  data_out <= std_logic_vector(t(place)) when borrow = 1 and high = 0
    else std_logic_vector(less(place));
  ready <= '1' when state = IDLE else '0';

  process (clk)
    variable sum : unsigned(2 * W - 1 downto 0);
    variable word : unsigned(W downto 0);
  begin
    if rising_edge(clk) then
      if write_enable = '1' then
        case address(7 downto 6) is
          when "00" => a(place) <= unsigned(data_in);
          when "01" => b(place) <= unsigned(data_in);
          when others => m(place) <= unsigned(data_in);
        end case;
      end if;
      case state is
        when IDLE =>
          if start = '1' then
            t <= (others => (others => '0'));
            high <= (others => '0'); c <= (others => '0');
            i <= 0; j <= 0; state <= MULTIPLY;
          end if;
        when MULTIPLY =>                          -- t + a * b(i)
          sum := a(j) * b(i) + t(j) + c;
          t(j) <= sum(W - 1 downto 0);
          c <= sum(2 * W - 1 downto W);
          if j = WORDS - 1 then state <= QUOTIENT; else j <= j + 1; end if;
        when QUOTIENT =>                          -- q makes the lowest word 0
          sum := t(0) * unsigned(minus_inverse);
          q <= sum(W - 1 downto 0);
          high <= high + c; c <= (others => '0'); j <= 0; state <= REDUCE;
        when REDUCE =>                            -- (t + q * m) / 2^W
          sum := q * m(j) + t(j) + c;
          c <= sum(2 * W - 1 downto W);
          if j > 0 then t(j - 1) <= sum(W - 1 downto 0); end if;
          if j = WORDS - 1 then state <= SHIFT; else j <= j + 1; end if;
        when SHIFT =>
          word := high + c;
          t(WORDS - 1) <= word(W - 1 downto 0);
          high <= resize(word(W downto W), W + 1);
          c <= (others => '0'); borrow <= "0"; j <= 0;
          if i = WORDS - 1 then state <= SUBTRACT; else i <= i + 1; state <= MULTIPLY; end if;
        when SUBTRACT =>                          -- t - m, if that is not negative
          word := ('0' & t(j)) - m(j) - borrow;
          less(j) <= word(W - 1 downto 0);
          borrow <= word(W downto W);
          if j = WORDS - 1 then state <= IDLE; else j <= j + 1; end if;
      end case;
      if reset = '1' then state <= IDLE; end if;
    end if;
  end process;
end architecture;
