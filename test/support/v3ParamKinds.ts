import type { TSchema } from 'typebox'
import type { Param } from '../../src/api/core/params.ts'

/** What the values of a parameter are, as far as its definition tells. */
export type ParamKind =
  | 'number'
  | 'seqno'
  | 'lt'
  | 'time'
  | 'boolean'
  | 'address'
  | 'addressOrNull'
  | 'hash'
  | 'opcode'
  | 'shard'
  | 'sort'
  | 'choice'
  | 'cursor'
  | 'option'
  | 'addresses'
  | 'hashes'
  | 'texts'
  | 'text'

type Keywords = TSchema & {
  readonly type?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly unknown[]
  readonly items?: Keywords
}

/** Examples are those of one function for each kind. */
const kindsByExample: { readonly [example: string]: ParamKind } = {
  EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N: 'address',
  'S4XM4TRqBSWvsrGUQY/NLEbIRM7q7iS6hx+uWg4Hv14=': 'hash',
  '0x0f8a7ea5': 'opcode',
  '8000000000000000': 'shard',
}

const kindsByType: { readonly [type: string]: ParamKind } = { number: 'time', integer: 'number', boolean: 'boolean' }

/** Parameters that no schema tells apart from others. */
const kindsByName: { readonly [name: string]: ParamKind } = {
  'messages source': 'addressOrNull',
  'messages destination': 'addressOrNull',
  'nft/sales address': 'addresses',
  sort: 'sort',
  cursor: 'cursor',
  x_no_address_book: 'option',
  x_no_metadata: 'option',
  x_timeout: 'option',
}

/** The kind of a parameter of an endpoint, from what it shows of itself. */
export const findParamKind = (endpoint: string, name: string, { schema, shown, presence }: Param): ParamKind => {
  const keywords = (shown ?? schema) as Keywords
  const byName = kindsByName[name] ?? kindsByName[`${endpoint} ${name}`]
  if (byName !== undefined) return byName
  if (name === 'seqno' && presence === 'required') return 'seqno'
  if (keywords.type === 'array') {
    const item = kindOfExample(keywords.items)
    return item === 'address' ? 'addresses' : item === 'hash' ? 'hashes' : 'texts'
  }
  const byType = kindsByType[keywords.type ?? '']
  if (byType !== undefined) return byType
  if (keywords.anyOf !== undefined) return 'choice'
  if (keywords.pattern === '^[0-9]+$') return 'lt'
  return kindOfExample(keywords) ?? 'text'
}

const kindOfExample = (keywords: Keywords | undefined): ParamKind | undefined =>
  kindsByExample[String(keywords?.examples?.[0])]

const digits64 = 'ab'.repeat(32)

/** What a parameter of a kind must refuse; the value of a list is one of its items. */
export const badValues: { readonly [kind in ParamKind]: readonly string[] } = {
  number: ['x', '1.5', '2147483648', '-2147483649', '99999999999', ' 1', '0x10', '1e3'],
  seqno: ['', 'x', '1.5', '2147483648'],
  lt: ['x', '-1', '18446744073709551616', '1.5', '0x10'],
  time: ['', 'x', '-1', '4294967296', '1e3', 'Infinity'],
  boolean: ['', 'yes', '2', 'tRUE', 'null'],
  address: ['', 'x', `0:${digits64.slice(1)}`, `0:${digits64}00`, `300:${digits64}`, 'null', `0:${digits64} `],
  addressOrNull: ['', 'x', 'NULL', `0:${digits64.slice(1)}`],
  hash: ['', 'x', digits64.slice(1), `${digits64}0`, `0y${digits64}`, 'A'.repeat(43), `${'A'.repeat(42)} =`],
  opcode: ['', 'x', '0x', '0x123456789', '4136767827', '-2147483649', '0x-1'],
  shard: ['', 'x', '0x', '-9223372036854775809', '99999999999999999999'],
  sort: ['', 'x', 'ascending', 'up'],
  choice: ['', 'x', 'In'],
  cursor: [],
  option: [],
  addresses: ['x', `0:${digits64.slice(1)}`, `300:${digits64}`, `0:${digits64},x`, 'null'],
  hashes: ['x', digits64.slice(1), 'A'.repeat(43), `${digits64},x`],
  texts: [],
  text: [],
}

/** What a parameter of a kind must take; its effect is the business of other tests. */
export const goodValues: { readonly [kind in ParamKind]: readonly (string | readonly string[])[] } = {
  number: ['', '+3', '0003'],
  seqno: ['1', '001'],
  lt: ['', '0', '18446744073709551615', '9223372036854775808'],
  time: ['0', '1700000000.9', '4294967295'],
  boolean: ['1', 't', 'T', 'true', 'TRUE', 'True', 'on', '0', 'f', 'F', 'false', 'FALSE', 'False'],
  address: [
    `0:${digits64}`,
    `-1:${digits64.toUpperCase()}`,
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    '0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC',
  ],
  addressOrNull: ['null', `0:${digits64}`],
  hash: [digits64, `0x${digits64}`, `${'A'.repeat(43)}=`, `${'-_'.repeat(21)}8=`],
  opcode: ['12345678', '0X1', '260734629', '-1', 'ffffffff'],
  shard: ['8000000000000000', '0x8000000000000000', '-9223372036854775808', '1'],
  sort: ['asc', 'desc', 'A', 'd', 'DESC'],
  choice: ['in', 'out'],
  cursor: [],
  option: ['', 'x', 'yes', '-1', '99999999999'],
  addresses: [
    [`0:${digits64}`, ''],
    ['', `0:${digits64},0:${digits64}`],
  ],
  hashes: [
    [digits64, ''],
    ['', `${digits64},0x${digits64}`],
  ],
  texts: [],
  text: [],
}
