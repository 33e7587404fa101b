import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { Command, CommandContext } from '../Command.ts'
import { openLiteClient, readNetwork } from '../compose.ts'
import { UsageError } from '../errors.ts'
import { askBytes, askLastBlock, chooseClient, decodeAnswer } from '../lite/askLiteServer.ts'
import { formatTlObject } from '../lite/formatTlObject.ts'
import { formatCall, getLiteFunction, type LiteFunction, liteFunctions, mayBeLeftOut } from '../lite/liteFunctions.ts'
import { type LiteQuestion, parseArguments } from '../lite/parseArguments.ts'
import type { ReadBytes } from '../lite/parseTlValue.ts'
import { wrapText } from '../wrapText.ts'

const argumentForms = [
  'Arguments are name=value words or one JSON object. Blocks: "(-1,8000000000000000,395):ROOTHASH:FILEHASH", a JSON object, or "last" for the newest masterchain block. Accounts: any form of address. Hashes: hex or base64. Bytes: hex, base64, or @ and the path of a file. Shards: 16 hex digits or a signed decimal number. Numbers: decimal or 0x and hex; method_id also takes the name of a get-method. Lists: commas between the values. The bits of mode that stand for an argument are set by giving it.',
  'The answer is JSON by the names of the TL schema: bytes and hashes in hex, shards in 16 hex digits, other 64-bit numbers as decimal text. Proofs in it are not checked. --raw prints its bytes instead, and takes the bytes of a function as hex in place of its name.',
  'Of several servers the first that answers is asked.',
]

export const lite: Command = {
  name: 'lite',
  summary: 'Asks one liteserver one question and prints the answer. Without words it lists the functions.',
  parameters: [
    { name: 'function', about: 'Its name, with "liteServer." before it or without.', optional: true },
    { name: 'argument', about: 'Its arguments, as name=value or as one JSON object.', optional: true, repeats: true },
  ],
  notes: argumentForms,
  async run(context, [word, ...rest]) {
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
  },
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
