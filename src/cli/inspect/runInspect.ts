import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fromBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { fromHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { openDecoder } from '../serve/openDecoder.ts'
import { formatFinding } from './Finding.ts'
import { inspectBag } from './inspectBag.ts'
import { inspectText } from './inspectText.ts'

/** Tells what something is: a file, or what was given itself. Nobody is asked. */
export const runInspect = (context: CommandContext, [word = '']: readonly string[]): void => {
  const found = inspectFile(context, word) ?? inspectText(word) ?? inspectBytes(context, readBag(word), nameOf(word))
  context.show({ text: formatFinding(found), value: found })
}

const inspectFile = (context: CommandContext, word: string) => {
  const bytes = readIfFile(resolve(context.workingDir, word), word)
  if (bytes === undefined) return undefined
  const name = `The file ${word}`
  if (isBag(bytes)) return inspectBytes(context, bytes, name)
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST_TEXT)).trim()
  return inspectText(text) ?? inspectBytes(context, readBag(text), name)
}

const MAX_FILE_BYTES = 64 * 1024 * 1024
/** Twice as long in hexadecimal digits. */
const LONGEST_TEXT = 2 * MAX_FILE_BYTES

const readIfFile = (path: string, word: string): Uint8Array | undefined => {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return undefined
    if (stat.size > MAX_FILE_BYTES)
      throw refuse(`The file ${word} has ${stat.size} bytes, more than ${MAX_FILE_BYTES}.`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    // A text that is no path, or a path to nothing, is something else.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_ARG_VALUE') {
      return undefined
    }
    throw refuse(`The file ${word} cannot be read (${code}).`)
  }
}

const magics = ['b5ee9c72', '68ff65f3', 'acc3a728']

const isBag = (bytes: Uint8Array): boolean => magics.includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

/** A bag of cells in base64 or hexadecimal digits; blanks and line ends in it do not count. */
const readBag = (text: string): Uint8Array | undefined => {
  const packed = text.replace(/\s+/g, '')
  for (const read of [fromHex, fromBase64]) {
    try {
      const bytes = read(packed)
      if (isBag(bytes)) return bytes
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
  }
  return undefined
}

const inspectBytes = (context: CommandContext, bytes: Uint8Array | undefined, name: string) => {
  if (bytes === undefined) throw refuse(`${name} is no address, hash, block id or bag of cells, and no file with one.`)
  try {
    return inspectBag(bytes, openDecoder(context))
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof UsageError) throw error
    throw refuse(`${name} is no bag of cells that can be read: ${error.message}`)
  }
}

const refuse = (message: string): UsageError =>
  new UsageError(
    message,
    'Give an address, a hash, a block id, a bag of cells in hex or base64, or the path of a file.',
  )

const nameOf = (word: string): string =>
  `What was given, ${JSON.stringify(word.length > 40 ? `${word.slice(0, 39)}…` : word)},`
