import type { JsonValue } from '../../core/json/JsonValue.ts'
import { refuseArgument, show } from './refuseArgument.ts'

const pattern = /^-?(?:0x[0-9a-f]+|[0-9]+)$/i
/** More digits than any number that fits has, zeros in front included. */
const maxLength = 120
/** The virtual machine has signed numbers of 257 bits. */
const limit = 1n << 256n

/** A number as JSON or as text: decimal, or hexadecimal behind 0x. */
export const readNumber = (value: JsonValue | undefined): bigint => {
  const number = toNumber(value)
  if (number === undefined || number >= limit || number < -limit) {
    throw refuseArgument(`Invalid number: ${show(value ?? null)}`)
  }
  return number
}

const toNumber = (value: JsonValue | undefined): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string' || value.length > maxLength || !pattern.test(value)) return undefined
  return value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value)
}
