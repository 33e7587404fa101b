import type { IndexSample } from './sampleIndex.ts'

/** The endpoints that ask nothing of the index but what others do, or nothing at all. */
export const unindexed = [
  'decode',
  'message',
  'sendAndWait',
  'estimateFee',
  'runGetMethod',
  'addressInformation',
  'account',
  'walletInformation',
  'wallet',
  'pendingTraces',
  'pendingActions',
  'pendingTransactions',
]

/** The hash of the empty cell: the body of very many messages. */
export const EMPTY_BODY = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

type Filters = readonly string[]

const page = ['limit=3', 'offset=2', 'limit=1000', 'sort=asc']

/** Every endpoint with its filters alone and in pairs, with and without windows, both ways: paths below /api/v3. */
export const listRequests = (sample: IndexSample): string[] => {
  const { busiest, accounts, transactions, messages, traces, times, lts, seqnos } = sample
  const some = (name: string, values: readonly string[], count = 3): string =>
    Array.from({ length: count }, (_, k) => `${name}=${values[k % values.length]}`).join('&')
  const middle = Math.floor((times.first + times.last) / 2)
  const middleLt = (lts.first + lts.last) / 2n
  const seqno = Math.floor((seqnos.first + seqnos.last) / 2)
  const windows = [
    `start_utime=${middle}`,
    `end_utime=${middle}`,
    `start_utime=${middle}&end_utime=${middle + 5000}`,
    `start_lt=${middleLt}`,
    `start_lt=${middleLt}&end_lt=${middleLt + 10_000_000n}`,
  ]
  const ownersOf = (owners: readonly string[]): string[] => [
    `owner_address=${owners[0]}`,
    `owner_address=${busiest[0]}`,
    some('owner_address', owners),
  ]
  const filters: Record<string, { readonly filters: Filters; readonly windows?: Filters; readonly needed?: Filters }> =
    {
      topAccountsByBalance: { filters: [] },
      accountBalances: { filters: ['limit=50'], needed: [`address=${busiest[0]}`] },
      accountsByCode: { filters: [], needed: [`code_hash=${messages[0]}`] },
      transactions: {
        filters: [
          'workchain=0',
          'workchain=-1',
          'workchain=7',
          'shard=8000000000000000',
          'shard=1230000000000000',
          `seqno=${seqno}`,
          `mc_seqno=${seqno}`,
          `account=${accounts[0]}`,
          `account=${busiest[0]}`,
          some('account', [...busiest, ...accounts], 50),
          `exclude_account=${busiest[0]}`,
          some('hash', transactions),
          `lt=${middleLt}`,
        ],
        windows,
      },
      messages: {
        filters: [
          some('msg_hash', messages),
          `hash=${messages[0]}`,
          `body_hash=${messages[0]}`,
          `body_hash=${EMPTY_BODY}`,
          `source=${accounts[0]}`,
          `source=${busiest[0]}`,
          'source=null',
          `destination=${accounts[0]}`,
          `destination=${busiest[0]}`,
          'destination=null',
          'opcode=0x0f8a7ea5',
          'direction=in',
          'direction=out',
          'exclude_externals=true',
          'only_externals=true',
        ],
        windows,
      },
      transactionsByMessage: {
        filters: [
          some('msg_hash', messages),
          `body_hash=${messages[0]}`,
          `body_hash=${EMPTY_BODY}`,
          'opcode=0x0f8a7ea5',
          `source=${busiest[0]}`,
          `destination=${busiest[0]}`,
          'direction=in',
          'direction=out',
        ],
      },
      transactionsByMasterchainBlock: { filters: [], needed: [`seqno=${seqno}`] },
      adjacentTransactions: { filters: ['direction=in', 'direction=out'], needed: [`hash=${transactions[0]}`] },
      accountStates: {
        filters: ['include_boc=false', `code_hash=${messages[0]}`],
        needed: [some('address', accounts, 20)],
      },
      addressBook: { filters: [], needed: [some('address', accounts, 20)] },
      metadata: { filters: [], needed: [some('address', [...sample.jettons, ...accounts], 20)] },
      walletStates: { filters: [], needed: [some('address', accounts, 20)] },
      masterchainInfo: { filters: [] },
      blocks: {
        filters: [
          'workchain=0',
          'workchain=-1',
          'workchain=7',
          'shard=8000000000000000',
          'shard=1230000000000000',
          `seqno=${seqno}`,
          `root_hash=${messages[0]}`,
          `file_hash=${messages[0]}`,
          `mc_seqno=${seqno}`,
        ],
        windows,
      },
      changes: { filters: ['limit=100', 'wait=0'], needed: [`since=${seqno}`] },
      masterchainBlockShardState: { filters: [], needed: [`seqno=${seqno}`] },
      masterchainBlockShards: { filters: [], needed: [`seqno=${seqno}`] },
      traces: {
        filters: [
          `account=${accounts[0]}`,
          `account=${busiest[0]}`,
          some('trace_id', traces),
          some('tx_hash', transactions),
          some('msg_hash', messages),
          `mc_seqno=${seqno}`,
          'include_actions=true',
          'supported_action_types=v1',
        ],
        windows,
        needed: ['limit=5'],
      },
      events: {
        filters: [
          `account=${accounts[0]}`,
          some('trace_id', traces),
          some('tx_hash', transactions),
          some('msg_hash', messages),
          `mc_seqno=${seqno}`,
          'supported_action_types=v1',
        ],
        windows: [windows[2]!, windows[4]!],
        needed: ['limit=5'],
      },
      actions: {
        filters: [
          `account=${accounts[0]}`,
          `account=${busiest[0]}`,
          some('tx_hash', transactions),
          some('msg_hash', messages),
          some('action_id', messages),
          some('trace_id', traces),
          `mc_seqno=${seqno}`,
          'action_type=jetton_transfer',
          'exclude_action_type=jetton_transfer',
          'supported_action_types=v1',
          'include_accounts=true',
          'include_transactions=true',
        ],
        windows,
      },
      'jetton/burns': {
        filters: [
          ...ownersOf(sample.transferOwners),
          `address=${busiest[1]}`,
          `jetton_wallet=${accounts[0]}`,
          `jetton_master=${sample.jettons[0]}`,
        ],
        windows,
      },
      'jetton/masters': { filters: [some('address', sample.jettons), some('admin_address', accounts)] },
      'jetton/stats': { filters: [], needed: [`jetton_address=${sample.jettons[0]}`] },
      'jetton/transfers': {
        filters: [
          ...ownersOf(sample.transferOwners),
          `address=${busiest[1]}`,
          `jetton_wallet=${accounts[0]}`,
          `jetton_master=${sample.jettons[0]}`,
          'direction=in',
          'direction=out',
        ],
        windows,
      },
      'jetton/wallets': {
        filters: [
          ...ownersOf(sample.walletOwners),
          some('address', accounts),
          `jetton_address=${sample.jettons[0]}`,
          'exclude_zero_balance=true',
          'sort=desc',
        ],
      },
      'nft/collections': { filters: [some('collection_address', sample.collections), ...ownersOf(sample.itemOwners)] },
      'nft/collectionStats': { filters: [], needed: [`collection_address=${sample.collections[0]}`] },
      'nft/items': {
        filters: [
          ...ownersOf(sample.itemOwners),
          some('address', accounts),
          `collection_address=${sample.collections[0]}`,
          `collection_address=${sample.collections[0]}&index=1&index=2`,
          'include_on_sale=true',
          'sort_by_last_transaction_lt=true',
        ],
      },
      'nft/sales': { filters: [], needed: [some('address', accounts)] },
      'nft/transfers': {
        filters: [
          ...ownersOf(sample.itemOwners),
          `address=${busiest[1]}`,
          some('item_address', accounts),
          `collection_address=${sample.collections[0]}`,
          'direction=in',
          'direction=out',
        ],
        windows,
      },
      'dns/records': { filters: [`wallet=${accounts[0]}`, 'domain=alice.ton'] },
      'multisig/orders': {
        filters: [some('address', accounts), some('multisig_address', accounts), 'parse_actions=true'],
      },
      'multisig/wallets': {
        filters: [some('address', accounts), some('wallet_address', accounts), 'include_orders=true'],
      },
      vesting: {
        filters: [some('contract_address', accounts), some('wallet_address', accounts), 'check_whitelist=true'],
      },
    }
  return Object.entries(filters).flatMap(([endpoint, { filters: all, windows: times = [], needed = [] }]) =>
    combine(all, times).map((parts) => `${endpoint}?${[...needed, ...parts].join('&')}`),
  )
}

const nameOf = (filter: string): string => filter.split('=', 1)[0]!

const combine = (filters: Filters, windows: Filters): Filters[] => {
  const alone: Filters[] = [[], ...filters.map((filter) => [filter])]
  const pairs = filters.flatMap((a, k) =>
    filters.slice(k + 1).flatMap((b) => (nameOf(a) === nameOf(b) ? [] : [[a, b]])),
  )
  return [
    ...alone.flatMap((parts) => [parts, ...page.map((each) => [...parts, each])]),
    ...alone.flatMap((parts) =>
      windows.flatMap((window) => [
        [...parts, window],
        [...parts, window, 'sort=asc'],
      ]),
    ),
    ...pairs,
    ...pairs.flatMap((parts) => windows.slice(2, 3).map((window) => [...parts, window])),
  ]
}
