import type { JsonObject, JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { contractParams } from './contractParams.ts'

/** A row of the bad-input matrix (section 4.4 of the contract). */
export type BadInput = {
  readonly endpoints: readonly string[]
  /** Members that are put in place of good ones; `undefined` leaves one out. */
  readonly params: { readonly [name: string]: JsonValue | undefined }
  readonly code: number
  /** Of GET, and of a body where it does not speak of GET. */
  readonly text: string | RegExp
  /** What the text of a body must tell where it is free. */
  readonly told?: RegExp
}

const account = [
  'getAddressInformation',
  'getExtendedAddressInformation',
  'getWalletInformation',
  'getAddressBalance',
  'getAddressState',
] as const
const atSeqno = [...account, 'getTokenData', 'getConfigParam', 'getConfigAll']
const withAddress = Object.keys(contractParams).filter((name) => 'address' in contractParams[name]!)
const blockPlaces = ['lookupBlock', 'getBlockHeader', 'getBlockTransactions', 'getBlockTransactionsExt']
const hashPlaces = blockPlaces.slice(1)
const blockPages = blockPlaces.slice(2)
const histories = ['getTransactions', 'getTransactionsStd']
const locates = ['tryLocateTx', 'tryLocateResultTx', 'tryLocateSourceTx']
const sends = ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError']
const methods = ['runGetMethod']

const wallet = '0:1320beaaaa0078704ac69bf1e54efbc6f5add372571aa1c704b7b07326f9f51f'
const other = '0:8a3cf375573cecb8e2684bfa86768fbef1dec28fcfdabfbb75e6aed33f22b24b'
const whole = '-9223372036854775808'
const wrongHash = '11'.repeat(32)

const parsed = (text: string): string => `failed to parse get request: ${text}`
const validated = (text: string): string => `failed to validate request: ${text}`
const nodeText = /^LITE_SERVER_[A-Z]+: ./

/** Parameters that are served, on the recorded network, for every endpoint that has any. */
export const goodParams: { readonly [endpoint: string]: JsonObject } = {
  ...Object.fromEntries(withAddress.map((name) => [name, { address: wallet }])),
  getShards: { seqno: 395 },
  getMasterchainBlockSignatures: { seqno: 395 },
  getShardBlockProof: { workchain: 0, shard: whole, seqno: 118 },
  lookupBlock: { workchain: -1, shard: whole, seqno: 100 },
  ...Object.fromEntries(hashPlaces.map((name) => [name, { workchain: -1, shard: whole, seqno: 100 }])),
  ...Object.fromEntries(locates.map((name) => [name, { source: wallet, destination: other, created_lt: '434000002' }])),
  ...Object.fromEntries(sends.map((name) => [name, { boc: 'te6cckEBAQEAAgAAAEysuc0=' }])),
  sendQuery: { address: wallet, body: 'te6cckEBAQEAAgAAAEysuc0=' },
  sendQuerySimple: { address: wallet, body: { data: { b64: '', len: 0 }, refs: [], special: false } },
  estimateFee: { address: wallet, body: 'te6cckEBAQEAAgAAAEysuc0=' },
  estimateFeeSimple: { address: wallet, body: { data: { b64: '', len: 0 }, refs: [], special: false } },
  runGetMethod: { address: wallet, method: 'seqno', stack: [] },
  runGetMethodStd: { address: wallet, method: 'seqno', stack: [] },
  getConfigParam: { param: 15 },
  detectHash: { hash: wrongHash },
}

const row = (
  endpoints: readonly string[],
  params: BadInput['params'],
  code: number,
  text: string | RegExp,
  told?: RegExp,
): BadInput => ({ endpoints, params, code, text, ...(told === undefined ? {} : { told }) })

const badAddress = (value: string): BadInput =>
  row(withAddress, { address: value }, 422, parsed(`Failed to parse address: '${value}'`), /address/i)

export const badInputs: readonly BadInput[] = [
  row(withAddress, { address: undefined }, 422, /^failed to parse get request: .*address/i, /address/i),
  row(withAddress, { address: '' }, 422, /^failed to (parse get|validate) request: .*address/i, /address/i),
  badAddress('invalid'),
  badAddress('EQATIL6qqgB4cErGm_HlTvvG9a3TclcaoccEt7BzJvn1H8xA'),
  badAddress(wallet.slice(0, -1)),
  ...['abc', '1.5', '99999999999'].map((seqno) =>
    row(atSeqno, { seqno }, 422, parsed('failed to parse seqno'), /seqno/),
  ),
  ...[1.5, 99999999999, true, [], {}].map((seqno) =>
    row(atSeqno, { seqno }, 422, parsed('failed to parse seqno'), /seqno/),
  ),
  ...[0, -1].map((seqno) => row(atSeqno, { seqno }, 422, validated('seqno should be positive'))),
  row(atSeqno, { seqno: 10_400 }, 500, nodeText),
  row(
    ['getShards', 'getMasterchainBlockSignatures'],
    { seqno: undefined },
    422,
    validated('seqno should be positive'),
    /seqno/,
  ),
  ...['workchain', 'shard', 'seqno'].map((name) =>
    row(['getShardBlockProof'], { [name]: undefined }, 422, parsed(`${name} required`), new RegExp(name)),
  ),
  row(['getShardBlockProof'], { from_seqno: -1 }, 422, validated('from_seqno should be non-negative')),
  ...[undefined, 'x'].map((workchain) =>
    row(blockPlaces, { workchain }, 422, parsed('failed to parse workchain'), /workchain/),
  ),
  ...[undefined, 'x', '9223372036854775808'].map((shard) =>
    row(blockPlaces, { shard }, 422, parsed('failed to parse shard'), /shard/),
  ),
  ...[{ seqno: undefined }, { lt: 1 }, { unixtime: 1794711986 }, { seqno: undefined, lt: 1, unixtime: 1 }].map(
    (params) => row(['lookupBlock'], params, 422, validated('exactly one of seqno, lt, unixtime should be specified')),
  ),
  row(hashPlaces, { root_hash: 'zz' }, 422, parsed('failed to parse root_hash'), /root_hash/),
  row(hashPlaces, { root_hash: wrongHash, file_hash: wrongHash }, 500, nodeText),
  row(blockPages, { count: 0 }, 422, validated('count should be positive')),
  row(blockPages, { count: 10_001 }, 422, validated('count should be less or equal 10000')),
  row(blockPages, { after_lt: 1 }, 422, validated('after_lt and after_hash should be used together')),
  row(blockPages, { after_hash: wrongHash }, 422, validated('after_lt and after_hash should be used together')),
  row(histories, { limit: 0 }, 422, validated('limit should be positive')),
  row(histories, { limit: 1001 }, 422, validated('limit should be less or equal 1000')),
  row(histories, { lt: 38000001 }, 422, validated('lt and hash should be used together')),
  row(histories, { hash: wrongHash }, 422, validated('lt and hash should be used together')),
  row(['getTransactionsStd'], { lt: 0 }, 422, validated('lt and hash should be used together')),
  row(histories, { archival: 'maybe' }, 422, parsed('failed to parse archival'), /archival/),
  row(
    histories,
    { lt: '582000001', hash: 'd164a7003883ca66ce045b06000b922464d84517c4cb70c0d8a2ce44e34ad54a' },
    500,
    'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
  ),
  row(locates, { created_lt: 'x' }, 422, parsed('failed to parse created_lt'), /created_lt/),
  row(locates, { created_lt: -1 }, 422, validated('created_lt should be non-negative')),
  row(locates, { created_lt: 434000003 }, 404, 'transaction was not found'),
  row(['getTokenData'], {}, 409, /^Smart contract .{66} is not Jetton or NFT$/),
  row(sends, { boc: undefined }, 422, /^failed to parse post request: ./),
  row(sends, { boc: '' }, 422, validated('empty boc')),
  row(sends, { boc: '***' }, 422, /^failed to parse post request: .*invalid base64 encoded bytes/),
  row(sends.slice(0, 2), { boc: 'anVuaw==' }, 500, /^INVALID_BAG_OF_CELLS: body/),
  row(sends.slice(2), { boc: 'anVuaw==' }, 400, /^INVALID_BAG_OF_CELLS: body/),
  row(['estimateFee'], { body: undefined }, 422, /^failed to parse post request: ./),
  row(methods, { stack: {} }, 422, /stack/),
  row(methods, { stack: [5] }, 422, /./),
  row(methods, { stack: [['num', 1, 2]] }, 422, /Expected 2 elements in stack entry, got: 3/),
  row(methods, { stack: [['num', '12x']] }, 422, /Invalid number: 12x/),
  row(methods, { stack: [['tvm.Cell', '']] }, 422, /Empty tvm\.Cell/),
  row(methods, { stack: [['tvm.Cell', 5]] }, 422, /Invalid tvm\.Cell, base64 string expected/),
  row(
    methods,
    { stack: [['tvm.Builder', 'te6cckEBAQEABgAACN6tvu+qPBS2']] },
    542,
    'Unsupported stack entry type: tvm.Builder',
  ),
  row(['detectHash'], { hash: 'abc' }, 422, parsed("invalid hash: 'abc'"), /hash/),
  row(['detectHash'], { hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM' }, 422, /invalid hash: '/, /hash/),
  row(['detectHash'], { hash: undefined }, 422, /empty hash/, /hash/),
  row(['detectHash'], { hash: '' }, 422, /empty hash/),
  row(['getConfigParam'], { param: undefined }, 422, validated('only one of config_id or param should be specified')),
  row(['getConfigParam'], { config_id: 15 }, 422, validated('only one of config_id or param should be specified')),
  row(['getConfigParam'], { param: -1 }, 422, validated('param should be non-negative')),
  row(['getConfigParam'], { param: 'x' }, 422, parsed('failed to parse param'), /param/),
  row(['getLibraries'], { libraries: ['zz'] }, 422, parsed('failed to parse libraries'), /libraries/),
  row(['getLibraries'], { libraries: new Array(17).fill(wrongHash) }, 422, /librar/),
  ...['packAddress', 'detectAddress'].flatMap((name) =>
    [128, -129].map((workchain) => row([name], { address: `${workchain}:${wrongHash}` }, 422, /address/i)),
  ),
]
