import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { listFiles } from '../listFiles.ts'

/** Names of members by what their texts hold. */
export type ValueNames = {
  readonly decimals: Set<string>
  readonly addresses: Set<string>
  readonly opaque: Set<string>
}

type Schema = {
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema | readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly patternProperties?: { readonly [pattern: string]: Schema }
  readonly additionalProperties?: boolean | Schema
}

const decimalIds = new Set(['Decimal', 'Amount', 'Lt'])
const addressIds = new Set(['Address', 'Friendly', 'UpperRaw'])

/** Anything, or an object with any members. */
const isOpaque = ({ type, anyOf, $defs, properties = {}, additionalProperties }: Schema): boolean =>
  type === undefined
    ? anyOf === undefined && $defs === undefined
    : type === 'object' && Object.keys(properties).length === 0 && additionalProperties === true

/** Collects the names of a schema and of all that it holds. */
export const collectValueNames = (
  schema: TSchema | Schema,
  names: ValueNames,
  name = '',
  seen = new Set<object>(),
): void => {
  const given = schema as Schema
  if (given.$id !== undefined && decimalIds.has(given.$id)) names.decimals.add(name)
  if (given.$id !== undefined && addressIds.has(given.$id)) names.addresses.add(name)
  if (seen.has(given)) return
  seen.add(given)
  if (given.$ref !== undefined) return
  if (isOpaque(given)) names.opaque.add(name)
  const inner = [
    ...Object.values(given.$defs ?? {}),
    ...(given.anyOf ?? []),
    ...[given.items ?? []].flat(),
    ...Object.values(given.patternProperties ?? {}),
  ]
  for (const each of inner) collectValueNames(each, names, name, seen)
  for (const [key, each] of Object.entries(given.properties ?? {})) collectValueNames(each, names, key, seen)
}

/** The details of actions are types, which name their texts. */
export const collectDetailNames = (root: string, names: ValueNames): void => {
  for (const path of listFiles(root, ['src/actions/details'], ['.ts'])) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, name, type] of text.matchAll(/readonly (\w+)\??: [^;{}\n]*?\b(AddressText|DecimalText)\b/g)) {
      ;(type === 'AddressText' ? names.addresses : names.decimals).add(name!)
    }
  }
}
