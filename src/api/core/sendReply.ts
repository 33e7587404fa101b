import { Readable } from 'node:stream'
import { nextTurn } from '../../primitives/scheduling.ts'
import { type Call, toAnswered } from './Call.ts'
import type { ApiReply } from './Exchange.ts'
import { type Json, textOf } from './json/stringifyJson.ts'
import { jsonMediaType, type Service } from './Mount.ts'
import type { Reply } from './reply.ts'

type SentReply = Pick<Reply, 'status' | 'parts'> & { readonly text: Json | Readable }

/** To encode and to send a megabyte takes a millisecond, in which nothing else goes on. */
const LARGE = 64 * 1024

const SHORT = 4096

/** Large answers that are ready at the same time are sent in different turns of the event loop. */
export const sendInTurn = (
  service: Service,
  call: Call,
  answer: SentReply & { readonly text: Json },
  reply: ApiReply,
): ApiReply | Promise<ApiReply> =>
  answer.text.length < LARGE
    ? send(service, call, answer, reply)
    : nextTurn().then(() => send(service, call, answer, reply))

export const send = (
  { mount, limits, isClosing, onAnswered }: Service,
  call: Call,
  { status, text, parts }: SentReply,
  reply: ApiReply,
): ApiReply => {
  // Limits the time of a stalled send, unless the limit of the connection is in force; a keep-alive connection has a timeout of its own.
  if (reply.raw.socket?.timeout !== limits.sendTimeoutMs) reply.raw.setTimeout(limits.sendTimeoutMs)
  if (isClosing()) reply.header('connection', 'close')
  if (mount.definition.headers !== undefined) reply.headers(mount.definition.headers(call))
  if (call.trace.headers !== undefined) reply.headers(call.trace.headers)
  reply.code(status)
  if (status !== 204) reply.header('content-type', jsonMediaType)
  if (status === 204) {
    reply.send()
  } else if (text instanceof Readable) {
    reply.send(text)
  } else if (parts !== undefined && text.length >= LARGE && isBare(parts)) {
    reply.send(encodeLarge(parts[1]))
  } else if (parts !== undefined && text.length >= LARGE) {
    const bytes = [Buffer.from(parts[0]), encodeLarge(parts[1]), Buffer.from(parts[2])]
    reply.header(
      'content-length',
      bytes.reduce((sum, { length }) => sum + length, 0),
    )
    reply.send(Readable.from(bytes, { objectMode: false }))
  } else {
    // A short text goes out in one write with its headers; to concatenate, measure and copy a long one costs more than a second buffer.
    const isShort = text.length <= SHORT
    reply.send(isShort ? textOf(text) : typeof text === 'string' ? encodeParts(parts ?? [text]) : text)
  }
  onAnswered?.(toAnswered(mount.definition.prefix, call, status))
  return reply
}

/** The bytes of a text in parts. The text as a whole would be one more copy of it in memory. */
const encodeParts = (parts: readonly string[]): Buffer => {
  let length = 0
  for (const part of parts) length += Buffer.byteLength(part)
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) at += bytes.write(part, at)
  return bytes
}

/** Without an envelope: a stream of parts would cost more than the result. */
const isBare = ([before, , after]: NonNullable<Reply['parts']>): boolean => before === '' && after === ''

const REMEMBERED_MS = 1000

/** The large result that was encoded last: many who call at the same time get the same from the response cache. */
let encoded: { readonly text: string; readonly bytes: Buffer } | undefined

const encodeLarge = (text: string): Buffer => {
  if (encoded?.text === text) return encoded.bytes
  const made = { text, bytes: Buffer.from(text) }
  encoded = made
  setTimeout(() => {
    if (encoded === made) encoded = undefined
  }, REMEMBERED_MS).unref()
  return made.bytes
}
