import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { openLiteClient, readNetwork } from '../compose.ts'
import { UsageError } from '../errors.ts'
import { wrapText } from '../wrapText.ts'
import { argumentForms } from './argumentForms.ts'
import { askBytes, askLastBlock, chooseClient, decodeAnswer } from './askLiteServer.ts'
import { formatTlObject } from './formatTlObject.ts'
import { formatCall, getLiteFunction, type LiteFunction, liteFunctions, mayBeLeftOut } from './liteFunctions.ts'
import { type LiteQuestion, parseArguments } from './parseArguments.ts'
import type { ReadBytes } from './parseTlValue.ts'

/** Asks one server one question, or lists the questions. */
export const runLite = async (context: CommandContext, [word, ...rest]: readonly string[]): Promise<void> => {
  if (word === undefined) {
    listFunctions(context)
    return
  }
  // All that can be wrong with the question is found before anybody is asked.
  const { called, question } = readQuestion(context, word, rest)
  const { config, shutdown, show } = context
  const { servers } = await readNetwork(context)
  const clients = servers.map((server) => openLiteClient(server, context))
  const client = await chooseClient(clients, shutdown.signal)
  const options = { timeoutMs: config.queryTimeout, waitSeqno: config.wait, signal: shutdown.signal }
  const last = question.needsLast ? await askLastBlock(client, options) : undefined
  const bytes = await askBytes(client, question.encode(last), options)
  if (called === undefined || config.raw) {
    const raw = toHex(bytes)
    show({ text: raw, value: { raw } })
    return
  }
  const value = formatTlObject(decodeAnswer(client, called.name, bytes))
  show({ text: JSON.stringify(value, undefined, 2), value })
}

type Read = { readonly called: LiteFunction | undefined; readonly question: LiteQuestion }

const readQuestion = ({ config, workingDir }: CommandContext, word: string, rest: readonly string[]): Read => {
  // No function has a name that could be hex.
  if (config.raw && rest.length === 0 && /^([0-9a-fA-F]{8})+$/.test(word)) {
    return { called: undefined, question: { needsLast: false, encode: () => fromHex(word) } }
  }
  const called = getLiteFunction(word)
  return { called, question: parseArguments(called, rest, readBytesFrom(workingDir)) }
}

// As much as fits into a packet.
const MAX_FILE_BYTES = 16 * 1024 * 1024

const readBytesFrom =
  (workingDir: string): ReadBytes =>
  (path) => {
    const refuse = (reason: string): never => {
      throw new UsageError(`The file ${path} ${reason}.`, 'Give the path of a file with the bytes behind the @.')
    }
    try {
      const target = resolve(workingDir, path)
      const { size } = statSync(target)
      return size > MAX_FILE_BYTES ? refuse(`has ${size} bytes, which no packet holds`) : readFileSync(target)
    } catch (error) {
      if (error instanceof UsageError) throw error
      return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }

const listFunctions = ({ show }: CommandContext): void => {
  const functions = liteFunctions.map(({ name, fields }) => ({
    name,
    arguments: fields.map((field) => ({
      name: field.name,
      type: field.isVector ? `vector ${field.type}` : field.type,
      optional: mayBeLeftOut(field),
    })),
  }))
  const lines = liteFunctions.map((each) => `  ${formatCall(each)}`)
  const about = 'Functions of a liteserver; what stands in brackets may be left out:'
  show({
    text: [[about, ...lines].join('\n'), ...argumentForms.map((note) => wrapText(note))].join('\n\n'),
    value: { functions },
  })
}
