import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CodedError } from '../../primitives/errors.ts'
import type { Lifetime } from './Endpoint.ts'

/** What became of a request at the gate. */
export type Admission = {
  /** Why it is not served. */
  readonly refusal: CodedError | undefined
  /** Headers of its answer, names and values in turn. */
  readonly headers: readonly string[]
  /** The API key that it came with, by the name under which operators know it. */
  readonly key: string | undefined
  /** The nodes that are kept for the likes of it, by the name of their pool. */
  readonly pool: string | undefined
}

/** Stands before the interfaces, and lets requests in or not. */
export interface Gate {
  /**
   * Counts a request to the interface below a prefix. It is known at once where the counters are in this process. What is promised is
   * never broken.
   */
  admit(request: IncomingMessage, prefix: string): Admission | Promise<Admission>
}

const noted = Symbol('admission')

type Noted = IncomingMessage & { [noted]?: Admission }

/** Writes on a request what became of it, for all who handle it afterwards; it is counted once. */
export const noteAdmission = (request: IncomingMessage, admission: Admission): void => {
  ;(request as Noted)[noted] = admission
}

export const findAdmission = (request: IncomingMessage): Admission | undefined => (request as Noted)[noted]

/** Whoever has nodes of his own gets what those see as the newest; what stays right for good is the same everywhere. */
export const mayShareAnswer = (pool: string | undefined, lifetime: Lifetime): boolean =>
  pool === undefined || lifetime === 'forever'

/** Takes a request through the gate, unless it has been there. */
export const passGate = (
  gate: Gate,
  prefix: string,
  request: IncomingMessage,
  reply: FastifyReply,
  done: (refusal?: CodedError) => void,
): void => {
  const enter = (admission: Admission): void => {
    const { headers, refusal } = admission
    noteAdmission(request, admission)
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1]!)
    done(refusal)
  }
  const admission = findAdmission(request) ?? gate.admit(request, prefix)
  if (admission instanceof Promise) void admission.then(enter)
  else enter(admission)
}
