/**
 * What the columns `…_extra` hold: amounts as text by the numbers of their currencies; null where there are none. In `balance_extra` the
 * text "unknown" says that there are some, and that nobody here knows how many. A block does not show what it took over from the state
 * before it, so transactions may well have that; latest_account_states has it only where the states of the chain were not to be had.
 */
export type ExtraAmounts = Readonly<Record<string, string>> | 'unknown'
