import { Type } from 'typebox'
import { getMethodId } from '../../../codec/tlb/VmValue.ts'
import type { JsonValue } from '../../core/json/JsonValue.ts'
import { param } from '../../core/Param.ts'
import { unreadable } from '../RefusedRequestError.ts'

const numberPattern = /^-?(?:0x[0-9a-f]{1,8}|[0-9]{1,10})$/i

/** A get-method: the id that a name stands for, or a text that is itself a number. */
export const MethodParam = param(
  Type.Union([Type.String(), Type.Integer()], {
    description: 'The name of a get-method, or its number.',
    examples: ['seqno', 85_143],
  }),
  (method): number => {
    if (typeof method === 'number') {
      if (method !== (method | 0)) throw unreadable('failed to parse method')
      return method
    }
    const number = numberPattern.test(method) ? toNumber(method) : undefined
    // What has the look of a number and is none is a name like any other.
    return number !== undefined && number === (number | 0) ? number : getMethodId(method)
  },
)

const toNumber = (text: string): number => (text.startsWith('-') ? -Number(text.slice(1)) : Number(text))

const Entry = Type.Unsafe<JsonValue>(Type.Unknown())

/** Arguments that are read when the call is, because some of them are refused in ways of their own. */
export const LegacyStackParam = param(
  Type.Array(Entry, {
    description: 'Arguments as pairs of a type and a value, the deepest first.',
    examples: [[['num', '5']], [['tvm.Cell', 'te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg=']]],
  }),
)

/** The same with types spelled out. */
export const TypedStackParam = param(
  Type.Array(Entry, {
    description: 'Arguments as objects that name their type, the deepest first.',
    examples: [[{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '5' } }]],
  }),
)
