import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { canonicalOf, rawUpperOf, readAddress } from '../../support/goldenAddress.ts'
import { anything } from './Expectation.ts'

/** From a form that the 2.0 line prints to the one of the 2.1 line, as section 12 of the contract tells them apart. */

const without = (object: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const accountOf = (transaction: JsonObject): string => {
  const { account_address } = transaction['address'] as { account_address: string }
  return rawUpperOf(readAddress(account_address)!)
}

/** `raw.transaction` of a history as `ext.transaction`. */
const toExtTransaction = (transaction: JsonObject): JsonObject => ({
  ...transaction,
  '@type': 'ext.transaction',
  account: accountOf(transaction),
  out_msgs: (transaction['out_msgs'] as readonly JsonObject[]).map(toExtMessage),
  ...(isJsonObject(transaction['in_msg']) ? { in_msg: toExtMessage(transaction['in_msg']) } : {}),
})

export const toExtMessage = (message: JsonObject): JsonObject => {
  const data = message['msg_data'] as JsonObject
  const typed = { ...message, '@type': 'ext.message' }
  const text = message['message']
  if (data['@type'] === 'msg.dataRaw' && typeof text === 'string' && text !== '') {
    return { ...typed, message: `${text.replaceAll('\n', '')}\n` }
  }
  const isLost = data['@type'] === 'msg.dataText' && text === '' && data['text'] !== ''
  return isLost ? { ...without(typed, 'message'), message_decode_error: anything } : typed
}

/** An item of getBlockTransactionsExt. */
export const toTransactionExt = (transaction: JsonObject): JsonObject => ({
  ...transaction,
  '@type': 'raw.transactionExt',
  account: accountOf(transaction),
})

/** Only amounts have two forms: digits where there is an account, the number 0 or −1 where there is none. */
export const toBalance = (balance: JsonValue | undefined): JsonValue =>
  balance === 0 || balance === '-1' ? '0' : (balance ?? null)

export const toWalletInformation = (result: JsonObject): JsonObject => ({
  ...without(result, 'extra_currencies'),
  '@type': 'ext.accounts.walletInformation',
  balance: toBalance(result['balance']),
  ...(typeof result['wallet_id'] === 'number' ? { wallet_id: result['wallet_id'] | 0 } : {}),
})

/** Wallet ids in an account state are numbers. */
export const toAccountState = (state: JsonObject): JsonObject =>
  typeof state['wallet_id'] === 'string' ? { ...state, wallet_id: Number(state['wallet_id']) } : state

const tokenTypes: { readonly [type: string]: string } = {
  jetton_master: 'ext.tokens.jettonMasterData',
  jetton_wallet: 'ext.tokens.jettonWalletData',
  nft_collection: 'ext.tokens.nftCollectionData',
  nft_item: 'ext.tokens.nftItemData',
}

export const toTokenData = (result: JsonObject, address: JsonValue | undefined): JsonObject => {
  const numbers = ['total_supply', 'balance', 'next_item_index', 'index'].filter((name) => name in result)
  return {
    ...result,
    ...Object.fromEntries(numbers.map((name) => [name, `${result[name] as number}`])),
    '@type': tokenTypes[result['contract_type'] as string]!,
    address: canonicalOf(readAddress(address)!),
  }
}

export const toDetectedAddress = (result: JsonObject): JsonObject => {
  const toVariant = (variant: JsonValue | undefined): JsonObject => ({
    '@type': 'ext.utils.detectedAddressVariant',
    ...(variant as JsonObject),
  })
  return {
    ...result,
    '@type': 'ext.utils.detectedAddress',
    raw_form: (result['raw_form'] as string).toLowerCase(),
    bounceable: toVariant(result['bounceable']),
    non_bounceable: toVariant(result['non_bounceable']),
  }
}

/** Member `@extra` of what the node client returned. */
export const withoutExtra = (result: JsonValue): JsonValue =>
  isJsonObject(result) && '@extra' in result ? without(result, '@extra') : result

export const withoutFlags = (header: JsonObject): JsonObject => without(header, 'flags')

/** A history, or one transaction of it, as the 2.1 line prints it. */
export const toExtHistory = (result: JsonValue): JsonValue => {
  if (Array.isArray(result)) return result.map((item: JsonObject) => toExtTransaction(item))
  return isJsonObject(result) && result['@type'] === 'raw.transaction' ? toExtTransaction(result) : result
}
