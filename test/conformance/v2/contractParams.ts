/** What the contract says of one parameter. Written from its text, not from our code. */
export type ParamRule = {
  readonly kind:
    | 'address'
    | 'hash'
    | 'accountOrHash'
    | 'int32'
    | 'int64'
    | 'bool'
    | 'bytes'
    | 'hashes'
    | 'text'
    | 'method'
    | 'free'
  readonly required?: boolean
  readonly sign?: 'positive' | 'nonNegative'
  readonly max?: number
}

export type ParamRules = { readonly [name: string]: ParamRule }

const address: ParamRule = { kind: 'address', required: true }
const seqno: ParamRule = { kind: 'int32', sign: 'positive' }
const requiredSeqno: ParamRule = { ...seqno, required: true }
const workchain: ParamRule = { kind: 'int32', required: true }
const shard: ParamRule = { kind: 'int64', required: true }
const lt: ParamRule = { kind: 'int64', sign: 'nonNegative' }
const hash: ParamRule = { kind: 'hash' }

const account = { address, seqno }
const blockPlace = { workchain, shard, seqno: requiredSeqno, root_hash: hash, file_hash: hash }
const blockPage = {
  ...blockPlace,
  after_lt: lt,
  after_hash: { kind: 'accountOrHash' },
  count: { kind: 'int32', sign: 'positive', max: 10_000 },
} as const
const history = {
  address,
  limit: { kind: 'int64', sign: 'positive', max: 1000 },
  lt,
  hash,
  to_lt: { kind: 'int64' },
  archival: { kind: 'bool' },
} as const
const locate = {
  source: address,
  destination: address,
  created_lt: { ...lt, required: true },
} as const
const method = { address, method: { kind: 'method', required: true }, stack: { kind: 'free' }, seqno } as const
const bagQuery = {
  address,
  body: { kind: 'bytes', required: true },
  init_code: { kind: 'bytes' },
  init_data: { kind: 'bytes' },
} as const
const objectQuery = {
  address,
  body: { kind: 'free', required: true },
  init_code: { kind: 'free' },
  init_data: { kind: 'free' },
} as const
const boc = { boc: { kind: 'bytes', required: true } } as const

/** The endpoints with a body only. */
export const postOnly: ReadonlySet<string> = new Set([
  'sendBoc',
  'sendBocReturnHash',
  'sendBocReturnHashNoError',
  'sendQuery',
  'sendQuerySimple',
  'estimateFee',
  'estimateFeeSimple',
  'runGetMethod',
  'runGetMethodStd',
  'jsonRPC',
])

/** Every endpoint of the contract with its parameters. */
export const contractParams: { readonly [endpoint: string]: ParamRules } = {
  getAddressInformation: account,
  getExtendedAddressInformation: account,
  getWalletInformation: account,
  getAddressBalance: account,
  getAddressState: account,
  getTokenData: account,
  getShardAccountCell: account,
  dnsResolve: {
    ...account,
    name: { kind: 'text' },
    category: { kind: 'free' },
    ttl: { kind: 'int32', sign: 'nonNegative' },
  },
  getMasterchainInfo: {},
  getMasterchainBlockSignatures: { seqno: requiredSeqno },
  getShardBlockProof: { workchain, shard, seqno: requiredSeqno, from_seqno: { kind: 'int32', sign: 'nonNegative' } },
  getConsensusBlock: {},
  lookupBlock: { workchain, shard, seqno, lt, unixtime: { kind: 'int32', sign: 'nonNegative' } },
  getShards: { seqno: requiredSeqno },
  shards: { seqno: requiredSeqno },
  getBlockHeader: blockPlace,
  getOutMsgQueueSize: {},
  getBlockTransactions: blockPage,
  getBlockTransactionsExt: blockPage,
  getTransactions: history,
  getTransactionsStd: history,
  tryLocateTx: locate,
  tryLocateResultTx: locate,
  tryLocateSourceTx: locate,
  sendBoc: boc,
  sendBocReturnHash: boc,
  sendBocReturnHashNoError: boc,
  sendQuery: bagQuery,
  sendQuerySimple: objectQuery,
  estimateFee: { ...bagQuery, ignore_chksig: { kind: 'bool' } },
  estimateFeeSimple: { ...objectQuery, ignore_chksig: { kind: 'bool' } },
  runGetMethod: method,
  runGetMethodStd: method,
  detectAddress: { address },
  detectHash: { hash: { ...hash, required: true } },
  packAddress: { address },
  unpackAddress: { address },
  getConfigParam: {
    param: { kind: 'int32', sign: 'nonNegative' },
    config_id: { kind: 'int32', sign: 'nonNegative' },
    seqno,
  },
  getConfigAll: { seqno },
  getLibraries: { libraries: { kind: 'hashes' } },
}
