import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import {
  canonicalOf,
  friendlyOf,
  rawOf,
  rawUpperOf,
  readAddress,
  type WrittenAddress,
} from '../../support/goldenAddress.ts'
import type { Question } from '../../support/goldenQuestion.ts'
import { answer, anything, type Expectation } from './Expectation.ts'

/** What the contract has us answer to some questions that 2.0 refuses, worked out from the question; `undefined` for the rest. */
export const computedAnswer = ({ endpoint, params }: Question): Expectation | undefined => {
  const address = readAddress(params['address'])
  if (address === undefined) return undefined
  if (endpoint === 'packAddress') return answer(canonicalOf({ ...address, form: 'friendly' }))
  if (endpoint === 'unpackAddress') return answer(rawUpperOf(address))
  if (endpoint === 'detectAddress') return answer(detected(address))
  return endpoint === 'runGetMethod' ? echoed(address, params) : undefined
}

const detected = (address: WrittenAddress): JsonObject => {
  const variant = (bounceable: boolean): JsonObject => {
    const b64url = friendlyOf(address, { bounceable, testOnly: address.testOnly })
    const b64 = b64url.replaceAll('-', '+').replaceAll('_', '/')
    return { '@type': 'ext.utils.detectedAddressVariant', b64, b64url }
  }
  const friendly = address.bounceable ? 'friendly_bounceable' : 'friendly_non_bounceable'
  return {
    '@type': 'ext.utils.detectedAddress',
    raw_form: rawOf(address),
    bounceable: variant(true),
    non_bounceable: variant(false),
    given_type: address.form === 'raw' ? 'raw_form' : friendly,
    test_only: address.testOnly,
  }
}

/** An account of the recorded network that has no code: a method called on it leaves its arguments and its number. */
const withoutCode = '0:9999beaaaa0078704ac69bf1e54efbc6f5add372571aa1c704b7b07326f9f51f'

const methodNumbers: { readonly [name: string]: string } = { seqno: '0x14c97' }

const echoed = (address: WrittenAddress, { method, stack }: JsonObject): Expectation | undefined => {
  const number = methodNumbers[method as string]
  if (rawOf(address) !== withoutCode || number === undefined || !Array.isArray(stack)) return undefined
  return answer({
    '@type': 'smc.runResult',
    gas_used: 0,
    stack: [...(stack as readonly (readonly [string, JsonValue])[]).map(echoEntry), ['num', number]],
    exit_code: -13,
    block_id: anything,
    last_transaction_id: { '@type': 'internal.transactionId', lt: '0', hash: `${'A'.repeat(43)}=` },
  })
}

const echoEntry = ([type, value]: readonly [string, JsonValue]): JsonValue => {
  if (/^(num|int|number|integer)$/.test(type)) return ['num', hexadecimal(BigInt(value as string | number | bigint))]
  if (type === 'null') return ['list', { '@type': 'tvm.list', elements: [] }]
  if (/tuple/i.test(type)) return ['tuple', value]
  if (/list/i.test(type)) return ['list', value]
  return ['cell', { bytes: isJsonObject(value) ? value['bytes']! : value, object: anything }]
}

const hexadecimal = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)
