import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { NodeAnswerError, NodeRefusedError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import { TlError } from '../../codec/tl/TlError.ts'
import { decodeTlObject, decodeTlObjectAs, encodeTlObject, tlIds, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlObject } from '../../codec/tl/tlTypes.ts'
import type { LiteClient } from '../../node/LiteClient.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { concatBytes, getU32LE } from '../../primitives/bytes.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { CommandContext } from '../Command.ts'
import { openLiteClient, readNetwork } from '../compose.ts'
import { UsageError } from '../errors.ts'
import { wrapText } from '../formatHelp.ts'
import { formatTlObject } from './formatTlObject.ts'
import {
  formatCall,
  getLiteFunction,
  type LiteFunction,
  type LiteRequest,
  liteFunctions,
  mayBeLeftOut,
  parseArguments,
  type ReadBytes,
} from './liteArguments.ts'

/** Sends one request to a liteserver, or lists the functions. */
export const runLite = async (context: CommandContext, [word, ...rest]: readonly string[]): Promise<void> => {
  if (word === undefined) {
    listFunctions(context)
    return
  }
  // Validates the request before it connects.
  const { called, request } = readRequest(context, word, rest)
  const { config, shutdown, show } = context
  const { servers } = await readNetwork(context)
  const clients = servers.map((server) => openLiteClient(server, context))
  const client = await chooseClient(clients, shutdown.signal)
  const options = { timeoutMs: config.queryTimeout, waitSeqno: config.wait, signal: shutdown.signal }
  const last = request.needsLast ? await queryLastBlock(client, options) : undefined
  const bytes = await queryBytes(client, request.encode(last), options)
  if (called === undefined || config.raw) {
    const raw = toHex(bytes)
    show({ text: raw, value: { raw } })
    return
  }
  const value = formatTlObject(decodeAnswer(client, called.name, bytes))
  show({ text: JSON.stringify(value, undefined, 2), value })
}

/** Starts the attempts one after another, the next one after a failure or a while, and takes the first that succeeds. */
export const firstToAnswer = <T>(attempts: readonly (() => Promise<T>)[], staggerMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const waiting = [...attempts]
    const failures: unknown[] = []
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const startNext = (): void => {
      clearTimeout(timer)
      const attempt = waiting.shift()
      if (attempt === undefined || isOver) return
      if (waiting.length > 0) timer = setTimeout(startNext, staggerMs)
      attempt().then(succeed, fail)
    }
    const succeed = (value: T): void => {
      isOver = true
      clearTimeout(timer)
      resolve(value)
    }
    const fail = (error: unknown): void => {
      failures.push(error)
      if (failures.length === attempts.length) reject(new AggregateError(failures, 'Every attempt failed.'))
      else startNext()
    }
    startNext()
  })

export type LiteQueryOptions = {
  readonly timeoutMs: number
  /** The masterchain block that the server waits for first. */
  readonly waitSeqno: number | undefined
  readonly signal: AbortSignal
}

// The longest wait that nodes accept.
const MAX_WAIT_MS = 10_000
const STAGGER_MS = 250

/** The first liteserver that answers; the others are closed. A single one is not probed. */
const chooseClient = async (clients: readonly LiteClient[], signal: AbortSignal): Promise<LiteClient> => {
  const [only] = clients
  if (only !== undefined && clients.length === 1) return only
  const attempts = clients.map((client) => async (): Promise<LiteClient> => {
    await client.query('liteServer.getTime', {}, { signal })
    return client
  })
  const chosen = await firstToAnswer(attempts, STAGGER_MS).catch((cause: unknown) => {
    signal.throwIfAborted()
    const { errors } = cause as AggregateError
    throw new NodeUnavailableError(`None of ${clients.length} liteservers answered; ${describe(errors[0])}`, {
      cause,
    })
  })
  for (const client of clients) if (client !== chosen) client.close()
  return chosen
}

/** The bytes of the answer; an error of the server throws NodeRefusedError. */
const queryBytes = async (client: LiteClient, request: Uint8Array, options: LiteQueryOptions): Promise<Uint8Array> => {
  const { timeoutMs, waitSeqno, signal } = options
  const waitMs = waitSeqno === undefined ? 0 : Math.min(MAX_WAIT_MS, timeoutMs)
  const prefix =
    waitSeqno === undefined
      ? []
      : [encodeTlObject({ kind: 'liteServer.waitMasterchainSeqno', seqno: waitSeqno, timeoutMs: waitMs })]
  const bytes = await client.queryRaw(concatBytes([...prefix, request]), { timeoutMs: timeoutMs + waitMs, signal })
  if (bytes.length >= 4 && getU32LE(bytes, 0) === tlIds['liteServer.error']) {
    const { code, message } = decoding(client, () => decodeTlObjectAs('liteServer.error', bytes))
    throw new NodeRefusedError(code, message)
  }
  return bytes
}

/** The object in an answer, which must be what the function promises. */
const decodeAnswer = (client: LiteClient, name: LiteFunctionName, bytes: Uint8Array): TlObject => {
  const expected = tlSchema[name].result
  const object = decoding(client, () => decodeTlObject(bytes))
  if (object.kind === expected) return object
  throw new NodeAnswerError(`${client.name} answered ${name} with ${object.kind} instead of ${expected}.`)
}

/** The newest masterchain block as the server knows it, once it has what the request waits for. */
const queryLastBlock = async (client: LiteClient, options: LiteQueryOptions): Promise<BlockIdExt> => {
  const bytes = await queryBytes(client, encodeTlObject({ kind: 'liteServer.getMasterchainInfo' }), options)
  return decoding(client, () => decodeTlObjectAs('liteServer.masterchainInfo', bytes)).last
}

const decoding = <T>(client: LiteClient, decode: () => T): T => {
  try {
    return decode()
  } catch (cause) {
    if (!(cause instanceof TlError)) throw cause
    throw new NodeAnswerError(`${client.name} answered with something else: ${cause.message}`, { cause })
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))

type Read = { readonly called: LiteFunction | undefined; readonly request: LiteRequest }

const readRequest = ({ config, workingDir }: CommandContext, word: string, rest: readonly string[]): Read => {
  // No function has a name that could be hex.
  if (config.raw && rest.length === 0 && /^([0-9a-fA-F]{8})+$/.test(word)) {
    return { called: undefined, request: { needsLast: false, encode: () => fromHex(word) } }
  }
  const called = getLiteFunction(word)
  return { called, request: parseArguments(called, rest, readBytesFrom(workingDir)) }
}

// As much as fits into a packet.
const MAX_FILE_BYTES = 16 * 1024 * 1024

const readBytesFrom =
  (workingDir: string): ReadBytes =>
  (path) => {
    const refuse = (reason: string): never => {
      throw new UsageError(`The file ${path} ${reason}.`, 'Give the path of a readable file after the @.')
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

const listFunctions = (context: CommandContext): void => {
  const functions = liteFunctions.map(({ name, fields }) => ({
    name,
    arguments: fields.map((field) => ({
      name: field.name,
      type: field.isVector ? `vector ${field.type}` : field.type,
      optional: mayBeLeftOut(field),
    })),
  }))
  const lines = liteFunctions.map((each) => `  ${formatCall(each)}`)
  const about = 'Liteserver functions; arguments in brackets are optional:'
  context.show({
    text: [[about, ...lines].join('\n'), ...notesOf(context).map((note) => wrapText(note))].join('\n\n'),
    value: { functions },
  })
}

/** The notes of the command, which explain how to write arguments. */
const notesOf = ({ commands }: CommandContext): readonly string[] =>
  commands.find(({ name }) => name === 'lite')?.notes ?? []
