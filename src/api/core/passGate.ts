import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CodedError } from '../../primitives/errors.ts'
import { type Admission, findAdmission, type Gate, noteAdmission } from './Gate.ts'

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
