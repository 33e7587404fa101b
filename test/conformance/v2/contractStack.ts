import { isJsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { decodeSingleBoc } from '../../../src/codec/cell/decodeBoc.ts'
import { type Refusal, refusal } from './Expectation.ts'

/** What section 10.5 of the contract refuses the arguments of a get-method with; `undefined` where it takes them. */
export const stackRefusal = (endpoint: string, stack: JsonValue | undefined): Refusal | undefined => {
  if (endpoint !== 'runGetMethod' || stack === undefined || stack === null) return undefined
  if (!Array.isArray(stack)) return refusal(422, /stack/)
  const entries: readonly JsonValue[] = stack
  for (const entry of entries) {
    const found = entryRefusal(entry)
    if (found !== undefined) return found
  }
  return undefined
}

const numberTypes = ['num', 'int', 'number', 'integer']
const cellTypes = ['tvm.Cell', 'tvm.Slice', 'cell', 'slice']
const listTypes: { readonly [type: string]: string } = {
  tuple: 'tvm.tuple',
  'tvm.Tuple': 'tvm.tuple',
  list: 'tvm.list',
  'tvm.List': 'tvm.list',
}

const entryRefusal = (entry: JsonValue): Refusal | undefined => {
  if (!Array.isArray(entry)) return refusal(422, /stack|entry/)
  if (entry.length !== 2) return refusal(422, new RegExp(`Expected 2 elements in stack entry, got: ${entry.length}`))
  const [type, value]: readonly JsonValue[] = entry
  if (typeof type !== 'string' || value === undefined) return refusal(422, /stack|entry|type/)
  if (numberTypes.includes(type)) return isNumber(value) ? undefined : refusal(422, numberFault(value))
  if (cellTypes.includes(type)) return cellRefusal(type, value)
  const expected = listTypes[type]
  if (expected !== undefined) {
    return isJsonObject(value) && value['@type'] === expected && Array.isArray(value['elements'])
      ? undefined
      : refusal(422, /tuple|list|element/i)
  }
  if (type === 'null') return undefined
  return refusal(542, `Unsupported stack entry type: ${type}`)
}

const isNumber = (value: JsonValue): boolean =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    ? true
    : typeof value === 'string' && /^-?([0-9]+|0x[0-9a-f]+)$/i.test(value)

const numberFault = (value: JsonValue): RegExp | string =>
  typeof value === 'string' ? new RegExp(`Invalid number: ${value.replaceAll(/[+.]/g, '\\$&')}`) : /number/i

const cellRefusal = (type: string, value: JsonValue): Refusal | undefined => {
  const bytes = isJsonObject(value) ? value['bytes'] : value
  if (typeof bytes !== 'string') return refusal(422, new RegExp(`${type}|bytes`))
  if (bytes === '') return refusal(422, new RegExp(`Empty ${type}`))
  try {
    decodeSingleBoc(new Uint8Array(Buffer.from(bytes, 'base64')))
    return undefined
  } catch {
    return refusal(422, new RegExp(`${type}|base64|bag`, 'i'))
  }
}
