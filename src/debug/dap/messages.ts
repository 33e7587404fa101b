import { CodedError } from '../../primitives/errors.ts'

/** A request of an editor, as the Debug Adapter Protocol has it. */
export type DapRequest = {
  readonly seq: number
  readonly type: 'request'
  readonly command: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/** What is sent to an editor; `seq` is added on the way out. */
export type DapMessage =
  | {
      readonly type: 'response'
      readonly request_seq: number
      readonly command: string
      readonly success: boolean
      readonly message?: string
      readonly body?: unknown
    }
  | { readonly type: 'event'; readonly event: string; readonly body?: unknown }

/** What comes from the editor is not the protocol. */
class DapInputError extends CodedError {
  readonly code = 'dap_input_invalid'
}

const HEADER_END = '\r\n\r\n'
const MAX_HEADER_BYTES = 4096
const MAX_BODY_BYTES = 8 * 1024 * 1024

/** The requests of a stream: each is a header with its length, and JSON. */
export async function* readRequests(input: AsyncIterable<Uint8Array | string>): AsyncIterable<DapRequest> {
  let waiting: Buffer = Buffer.alloc(0)
  for await (const chunk of input) {
    waiting = Buffer.concat([waiting, typeof chunk === 'string' ? Buffer.from(chunk) : chunk])
    for (;;) {
      const end = waiting.indexOf(HEADER_END)
      if (end < 0 && waiting.length <= MAX_HEADER_BYTES) break
      const length = readLength(waiting.subarray(0, Math.max(0, end)).toString('latin1'))
      const start = end + HEADER_END.length
      if (waiting.length < start + length) break
      const request = parseRequest(waiting.subarray(start, start + length).toString('utf8'))
      waiting = waiting.subarray(start + length)
      if (request !== undefined) yield request
    }
  }
}

const readLength = (header: string): number => {
  const [, digits] = /^content-length: *([0-9]{1,9})$/im.exec(header) ?? []
  const length = Number(digits)
  if (digits !== undefined && length <= MAX_BODY_BYTES) return length
  throw new DapInputError(`Expected a header Content-Length of at most ${MAX_BODY_BYTES} bytes.`)
}

/** `undefined` for responses of the editor, of which none is expected. */
const parseRequest = (text: string): DapRequest | undefined => {
  try {
    const message = JSON.parse(text) as DapRequest
    return message?.type === 'request' && typeof message.command === 'string' ? message : undefined
  } catch (cause) {
    throw new DapInputError('A message is not valid JSON.', { cause })
  }
}

export const encodeMessage = (seq: number, message: DapMessage): string => {
  const body = JSON.stringify({ seq, ...message })
  return `Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`
}
