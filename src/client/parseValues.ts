import { type Address, findAddress } from './Address.ts'
import {
  type AddressName,
  addressNames,
  type DecimalName,
  decimalNames,
  type OpaqueName,
  opaqueNames,
} from './generated/valueNames.ts'

/** A result with amounts as bigint and addresses parsed. `null` stands for an address that is not an account. */
export type Parsed<T> = T extends readonly (infer Item)[]
  ? Parsed<Item>[]
  : T extends object
    ? { [Name in keyof T]: ParsedMember<Name, T[Name]> }
    : T

type ParsedMember<Name, T> = Name extends DecimalName & AddressName
  ? Parsed<T>
  : Name extends DecimalName
    ? WithTexts<T, bigint>
    : Name extends AddressName
      ? WithTexts<T, Address | null>
      : Name extends OpaqueName
        ? T
        : Parsed<T>

/** The texts of a member, alone, in a list, or by name, are values. */
type WithTexts<T, Value> = T extends string
  ? Value
  : T extends readonly string[]
    ? Value[]
    : T extends { readonly [name: string]: string }
      ? string extends keyof T
        ? { [Name in keyof T]: Value }
        : Parsed<T>
      : Parsed<T>

/**
 * Parses decimal texts (amounts, logical times, indexes) to bigint and addresses to {@link Address}, in results of calls,
 * in pages and in events. It returns a copy.
 */
export const parseValues = <T>(result: T): Parsed<T> => parse(result) as Parsed<T>

const parse = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(parse)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, parseMember(name, member)]))
}

const parseMember = (name: string, member: unknown): unknown => {
  const isDecimal = decimalNames.has(name)
  const isAddress = addressNames.has(name)
  if (isDecimal !== isAddress) {
    const parseText = (text: string) => (isDecimal ? parseDecimal(text) : (findAddress(text) ?? null))
    if (typeof member === 'string') return parseText(member)
    if (isTexts(member)) {
      if (Array.isArray(member)) return member.map(parseText)
      return Object.fromEntries(Object.entries(member).map(([key, text]) => [key, parseText(text)]))
    }
  }
  return opaqueNames.has(name) ? member : parse(member)
}

const parseDecimal = (text: string): bigint | string => (/^-?[0-9]+$/.test(text) ? BigInt(text) : text)

/** A list of texts, or texts by currency id or address. */
const isTexts = (member: unknown): member is readonly string[] | { readonly [key: string]: string } =>
  typeof member === 'object' &&
  member !== null &&
  Object.entries(member).every(([key, each]) => typeof each === 'string' && /^[0-9]+$|:/.test(key))
