import { TlError } from '../../codec/tl/TlError.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import type { TlObject } from '../../codec/tl/tlTypes.ts'
import { suggest } from '../../config/suggest.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { ParseError } from '../../primitives/errors.ts'
import { UsageError } from '../errors.ts'
import { formatCall, type LiteFunction, mayBeLeftOut } from './liteFunctions.ts'
import { LAST_BLOCK, parseTlFields, parseTlValue, type ReadBytes } from './parseTlValue.ts'

/** A question whose arguments fit, but for the newest block, which a server has to name. */
export type LiteQuestion = {
  readonly needsLast: boolean
  /** The bytes of the function, which are the question proper only with the block that it needs. */
  encode(last?: BlockIdExt): Uint8Array
}

/** Reads the arguments of a function, given as `name=value` words or as one JSON object. */
export const parseArguments = (called: LiteFunction, words: readonly string[], readBytes: ReadBytes): LiteQuestion => {
  const refuse = (what: string): never => {
    throw new UsageError(what, `Use it like this: chaincenter lite ${formatCall(called)}`)
  }
  const given = readWords(called, words, refuse)
  const missing = called.fields.find((field) => !mayBeLeftOut(field) && (given.get(field.name) ?? null) === null)
  if (missing !== undefined) refuse(`${called.shortName} needs the argument ${missing.name}.`)
  const args = parseTlFields(called.fields, given, (field, value) =>
    parsing(refuse, `The argument ${field.name} is wrong`, () => parseTlValue(field, value, readBytes)),
  )
  const encode = (last: BlockIdExt = LAST_BLOCK): Uint8Array => {
    const entries = Object.entries(args).map(([key, value]) => [key, value === LAST_BLOCK ? last : value])
    return encodeTlObject({ kind: called.name, ...Object.fromEntries(entries) } as TlObject)
  }
  // What only the encoder refuses (a flag without its argument) is to be known before anybody is asked.
  parsing(refuse, `${called.shortName} has wrong arguments`, () => encode())
  return { needsLast: Object.values(args).includes(LAST_BLOCK), encode }
}

type Refuse = (what: string) => never

const parsing = <T>(refuse: Refuse, what: string, parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof TlError)) throw error
    const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1)
    return refuse(`${what}: ${reason.replace(/\.?$/, '.')}`)
  }
}

const readWords = (called: LiteFunction, words: readonly string[], refuse: Refuse): ReadonlyMap<string, unknown> => {
  const [first] = words
  const entries =
    words.length === 1 && first?.startsWith('{')
      ? Object.entries(parseJson(first, refuse) as object)
      : words.map((word) => readWord(called, word, refuse))
  const given = new Map<string, unknown>()
  for (const [name, value] of entries) {
    if (!called.fields.some((field) => field.name === name)) refuseName(called, name, refuse)
    if (given.has(name)) refuse(`The argument ${name} was given more than once.`)
    given.set(name, value)
  }
  return given
}

const readWord = ({ fields }: LiteFunction, word: string, refuse: Refuse): [string, unknown] => {
  const at = word.indexOf('=')
  if (at < 0) {
    const isSwitch = fields.some(({ name, type }) => name === word && (type === 'true' || type === 'Bool'))
    return isSwitch ? [word, true] : refuse(`Expected an argument as name=value, but ${quote(word)} came.`)
  }
  const text = word.slice(at + 1)
  return [word.slice(0, at), /^[{[]/.test(text) ? parseJson(text, refuse) : text]
}

const refuseName = ({ shortName, fields }: LiteFunction, name: string, refuse: Refuse): void => {
  const meant = suggest(
    name,
    fields.map((field) => field.name),
  )
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  refuse(`${shortName} has no argument ${quote(name)}.${hint}`)
}

const parseJson = (text: string, refuse: Refuse): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse(`An argument is not JSON: ${(error as Error).message}.`)
  }
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
