import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlDescription } from '../../codec/tl/parseSchema.ts'
import { type TlFieldDescription, tlSchema } from '../../codec/tl/tlObject.ts'
import { suggest } from '../../config/suggest.ts'
import { UsageError } from '../errors.ts'

/** A function of liteservers: `name` as in the schema, `shortName` without the prefix that all have. */
export type LiteFunction = {
  readonly name: LiteFunctionName
  readonly shortName: string
  readonly fields: readonly TlFieldDescription[]
}

const PREFIX = 'liteServer.'

// What answers nothing of its own is a wrapper around a function.
const isCallable = ([name, { result }]: [string, TlDescription]): boolean =>
  name.startsWith(PREFIX) && result !== undefined

export const liteFunctions: readonly LiteFunction[] = Object.entries(tlSchema)
  .filter(isCallable)
  .map(([name, { fields }]) => ({ name: name as LiteFunctionName, shortName: name.slice(PREFIX.length), fields }))

/** A function by its name, with the prefix or without. */
export const getLiteFunction = (word: string): LiteFunction => {
  const found = liteFunctions.find(({ name, shortName }) => word === name || word === shortName)
  if (found !== undefined) return found
  const short = word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word
  const names = liteFunctions.map(({ shortName }) => shortName)
  const meant = suggest(short, names)
  throw new UsageError(
    `There is no liteserver function ${JSON.stringify(word.slice(0, 80))}.`,
    meant === undefined ? 'Run "chaincenter lite" to see all of them.' : `Did you mean ${meant}?`,
  )
}

/** A flags word may be left out: bits of arguments that are there are added to it anyway. */
export const mayBeLeftOut = ({ name, type, isOptional }: TlFieldDescription): boolean =>
  isOptional === true || (type === '#' && name === 'mode')

/** How the function is called, on one line. */
export const formatCall = ({ shortName, fields }: LiteFunction): string =>
  [
    shortName,
    ...fields.map((field) => (mayBeLeftOut(field) ? `[${formatArgument(field)}]` : formatArgument(field))),
  ].join(' ')

const formatArgument = ({ name, type, isVector }: TlFieldDescription): string => {
  if (type === 'true') return name
  const form = forms[type] ?? '{…}'
  return `${name}=${isVector ? `${form},…` : form}`
}

const forms: Readonly<Partial<Record<TlFieldDescription['type'], string>>> = {
  int: 'number',
  '#': 'number',
  long: 'number',
  shard: 'shard',
  int256: 'hash',
  bytes: 'bytes',
  Bool: 'true|false',
  'tonNode.blockId': '(workchain,shard,seqno)',
  'tonNode.blockIdExt': 'block',
  'liteServer.accountId': 'address',
}
