/** What a configuration parameter is, in words. */
export type ParamWords = { readonly title: string; readonly note: string }

/** By number. */
export const paramWords: { readonly [id: number]: ParamWords } = {
  0: { title: 'Configuration contract', note: 'The account that keeps the configuration and counts the votes on it.' },
  1: { title: 'Elector', note: 'The account that takes stakes and elects validators.' },
  2: { title: 'Minter', note: 'The account that may mint extra currencies.' },
  3: { title: 'Fee collector', note: 'The account that collects fees; the elector if absent.' },
  4: { title: 'DNS root', note: 'The account at which every domain is resolved first.' },
  5: { title: 'Burning', note: 'The share of fees that is destroyed, and the account whose coins are.' },
  6: { title: 'Minting prices', note: 'Cost of a new extra currency, and of more of one.' },
  7: { title: 'Extra currencies', note: 'Extra currencies and how much of each is to be minted.' },
  8: { title: 'Version', note: 'Version of the protocol, and capabilities that are switched on.' },
  9: { title: 'Mandatory parameters', note: 'Parameters that must not be removed.' },
  10: { title: 'Critical parameters', note: 'Parameters that need the stricter vote.' },
  11: { title: 'Voting', note: 'How validators vote on changes of parameters.' },
  12: { title: 'Workchains', note: 'Workchains besides the masterchain, and how they are split.' },
  13: { title: 'Complaints', note: 'Cost of a complaint about a validator.' },
  14: { title: 'Block rewards', note: 'Coins that are created with every block.' },
  15: { title: 'Election times', note: 'How long validators serve, and when the next ones are elected.' },
  16: { title: 'Number of validators', note: 'Limits on how many validators are elected.' },
  17: { title: 'Stakes', note: 'Limits on the stake of a validator.' },
  18: { title: 'Storage prices', note: 'Price of a bit and of a cell, for 65,536 seconds, in 1/65,536 of a nanocoin.' },
  19: { title: 'Network id', note: 'The number that tells this network from others.' },
  20: { title: 'Gas in the masterchain', note: 'Price and limits of gas in masterchain transactions.' },
  21: { title: 'Gas', note: 'Price and limits of gas in transactions of workchains.' },
  22: { title: 'Masterchain block limits', note: 'How large a masterchain block may become.' },
  23: { title: 'Block limits', note: 'How large a block of a workchain may become.' },
  24: { title: 'Message prices in the masterchain', note: 'Cost of a message from or to the masterchain.' },
  25: { title: 'Message prices', note: 'Cost of a message between workchain accounts.' },
  28: { title: 'Validator groups', note: 'How long groups of validators stay together, and how large they are.' },
  29: { title: 'Consensus', note: 'Timeouts and limits of the consensus.' },
  30: { title: 'New consensus', note: 'Settings of the consensus that replaces the one before.' },
  31: { title: 'Fundamental contracts', note: 'Accounts that pay no fees and may run in every block.' },
  32: { title: 'Previous validators', note: 'The set that served before.' },
  33: { title: 'Previous temporary validators', note: 'Temporary set that served before.' },
  34: { title: 'Current validators', note: 'The set that serves now.' },
  35: { title: 'Current temporary validators', note: 'Temporary set that serves now.' },
  36: { title: 'Next validators', note: 'The set that was elected to serve next.' },
  37: { title: 'Next temporary validators', note: 'Temporary set that serves next.' },
  39: { title: 'Temporary keys', note: 'Temporary keys that validators have signed.' },
  40: { title: 'Punishment', note: 'Fines for validators that do not work.' },
  43: { title: 'Sizes', note: 'Limits on messages, accounts and libraries.' },
  44: { title: 'Suspended accounts', note: 'Accounts that may not be activated for a time.' },
  45: { title: 'Precompiled contracts', note: 'Contracts with a fixed amount of gas.' },
  46: { title: 'Validator registry', note: 'The account where validators name their collators.' },
  71: { title: 'Ethereum bridge', note: 'Bridge of coins.' },
  72: { title: 'BNB bridge', note: 'Bridge of coins.' },
  73: { title: 'Polygon bridge', note: 'Bridge of coins.' },
  79: { title: 'Ethereum token bridge', note: 'Bridge of tokens.' },
  81: { title: 'BNB token bridge', note: 'Bridge of tokens.' },
  82: { title: 'Polygon token bridge', note: 'Bridge of tokens.' },
}

export type Topic = { readonly title: string; readonly ids: readonly number[] }

/** Related parameters; those of no topic come last. */
export const topics: readonly Topic[] = [
  { title: 'Contracts', ids: [0, 1, 2, 3, 4, 31] },
  { title: 'Network', ids: [8, 19, 12] },
  { title: 'Validators', ids: [15, 16, 17, 14, 28, 34, 32, 36, 33, 35, 37, 39, 40, 46] },
  { title: 'Fees', ids: [18, 20, 21, 24, 25, 6, 7, 5, 13] },
  { title: 'Limits', ids: [22, 23, 43, 44, 45] },
  { title: 'Consensus', ids: [29, 30] },
  { title: 'Changes of the configuration', ids: [9, 10, 11] },
  { title: 'Bridges', ids: [71, 72, 73, 79, 81, 82] },
]

/** How a value is written. */
export type Unit = 'coins' | 'gasPrice' | 'seconds' | 'ms' | 'time' | 'factor' | 'share' | 'account' | 'plain'

const coins = new Set(['min_stake', 'max_stake', 'min_total_stake', 'masterchain_block_fee', 'basechain_block_fee'])
const moreCoins = new Set(['lump_price', 'freeze_due_limit', 'delete_due_limit', 'new_price', 'add_price', 'deposit'])
const times = new Set(['utime_since', 'utime_until', 'enabled_since', 'suspended_until'])
const electionTimes = 15
const storage = 18
const accounts = new Set([0, 1, 2, 3, 4, 31])

/** The unit of a field; without a name, of the parameter itself. */
export const unitOf = (id: number, field: string | undefined): Unit => {
  if (field === undefined || field === 'key') return accounts.has(id) ? 'account' : 'plain'
  if (coins.has(field) || moreCoins.has(field)) return 'coins'
  if (times.has(field)) return 'time'
  if (id === electionTimes || /_(lifetime|seconds)$/.test(field)) return 'seconds'
  if (/_ms$/.test(field)) return 'ms'
  if (field === 'max_stake_factor') return 'factor'
  if (/_fraction$/.test(field)) return 'share'
  if (id !== storage && /^(gas|bit|cell)_price$/.test(field) && [20, 21, 24, 25].includes(id)) return 'gasPrice'
  return 'plain'
}

/** `max_main_validators` as "Max main validators". */
export const labelOf = (field: string): string => {
  const words = field.replace(/_ms$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
