import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'

/** A question to the recorded local network of the same kind as one that was put to the main network. */
export type StandIn = { readonly endpoint: string; readonly params: JsonObject }

const walletV3 = '0:1320beaaaa0078704ac69bf1e54efbc6f5add372571aa1c704b7b07326f9f51f'
const walletV4 = '0:8a3cf375573cecb8e2684bfa86768fbef1dec28fcfdabfbb75e6aed33f22b24b'
const jettonMaster = '0:94e67f3d162be8dff67645b5361f4f6e97059974bf78aa9048aa8ec3e9c99785'
const collection = '0:c86e08cee23ecac2b85999418a6c50cc20927d7a1c3adeef0145ce903e9e1377'
const nftItem = '0:b1323757ec6ebdf53f10dafda550c9759ec6d8e712a6d100751caa9120a6c4b1'
const neverSeen = 'UQCZmb6qqgB4cErGm_HlTvvG9a3TclcaoccEt7BzJvn1H7hg'
const wholeMasterchain = { workchain: -1, shard: '-9223372036854775808' }

const accountsByState: { readonly [type: string]: string } = {
  'wallet.v3.accountState': walletV3,
  'wallet.v4.accountState': walletV4,
  'raw.accountState': jettonMaster,
  'uninited.accountState': neverSeen,
}

/** How to ask for something like a recorded result. Questions without a network behind them are asked as they were. */
export const findStandIn = (method: string, params: JsonObject, result: JsonValue): StandIn | undefined =>
  standIns[method]?.(params, isJsonObject(result) ? result : {}, result)

type Choose = (params: JsonObject, members: JsonObject, result: JsonValue) => StandIn

const always =
  (endpoint: string, params: JsonObject): Choose =>
  () => ({ endpoint, params })

/** The recorded stack is handed to an account without code, which gives it back. */
const echoStack: Choose = (_params, { stack }) => ({
  endpoint: 'runGetMethodStd',
  params: { address: neverSeen, method: 'seqno', stack: stack! },
})

/** Where the caller is not known, the account of the answer is asked for. */
const sameAddress =
  (endpoint: string): Choose =>
  ({ address }, { raw_form }, result) => ({
    endpoint,
    params: { address: address ?? raw_form ?? (result as string) },
  })

const standIns: { readonly [method: string]: Choose } = {
  balance: always('getAddressBalance', { address: walletV3 }),
  detectAddress: sameAddress('detectAddress'),
  packAddress: sameAddress('packAddress'),
  unpackAddress: sameAddress('unpackAddress'),
  estimateFee: always('estimateFee', { address: walletV3, body: 'te6cckEBAQEAAgAAAEysuc0=' }),
  getAddressBalance: (_params, _members, result) => ({
    endpoint: 'getAddressBalance',
    params: { address: result === '0' ? neverSeen : walletV3 },
  }),
  getAddressInformation: (_params, { state }) => ({
    endpoint: 'getAddressInformation',
    params: { address: state === 'active' ? walletV3 : neverSeen },
  }),
  getAddressState: always('getAddressState', { address: walletV3 }),
  getBlockTransactions: always('getBlockTransactions', { ...wholeMasterchain, seqno: 24 }),
  getConfigParam: always('getConfigParam', { config_id: 0 }),
  getConsensusBlock: (_params, { '@type': type }) =>
    // One sample of the documentation is under a wrong name.
    ({ endpoint: type === undefined ? 'getConsensusBlock' : 'getMasterchainInfo', params: {} }),
  getExtendedAddressInformation: (_params, { account_state }) => ({
    endpoint: 'getExtendedAddressInformation',
    params: { address: accountsByState[(account_state as JsonObject)['@type'] as string]! },
  }),
  getMasterchainBlockSignatures: always('getMasterchainBlockSignatures', { seqno: 200 }),
  getMasterchainInfo: always('getMasterchainInfo', {}),
  'see note': always('getMasterchainInfo', {}),
  getOutMsgQueueSizes: always('getOutMsgQueueSize', {}),
  getShardBlockProof: always('getShardBlockProof', { ...wholeMasterchain, seqno: 390 }),
  getTokenData: (_params, { contract_type }) => ({
    endpoint: 'getTokenData',
    params: { address: contract_type === 'nft_item' ? nftItem : collection },
  }),
  getTransactions: always('getTransactions', { address: jettonMaster, limit: 40 }),
  getWalletInformation: (_params, { wallet }) => ({
    endpoint: 'getWalletInformation',
    params: { address: wallet === true ? walletV3 : neverSeen },
  }),
  lookupBlock: always('lookupBlock', { ...wholeMasterchain, seqno: 100 }),
  runGetMethod: always('runGetMethod', { address: nftItem, method: 'get_nft_data', stack: [] }),
  shards: always('shards', { seqno: 200 }),
  'smc.runGetMethod (tonlib)': echoStack,
  tryLocateResultTx: always('tryLocateResultTx', { source: walletV3, destination: walletV4, created_lt: '434000002' }),
  tryLocateSourceTx: always('tryLocateSourceTx', { source: walletV3, destination: walletV4, created_lt: '434000002' }),
}
