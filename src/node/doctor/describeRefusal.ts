import type { NodeRefusedError } from '../../chain/errors.ts'

const NOT_READY = 651
const MAX_SHOWN = 300

/** Whether the server, or a proxy before it, has no time now. "Not ready" is no such thing: it is said of blocks that are not there. */
export const isPassing = ({ retryable, serverCode }: NodeRefusedError): boolean => retryable && serverCode !== NOT_READY

/** The words of a server as part of a sentence: on one line, short, and without anything that would steer a terminal. */
export const describeRefusal = ({ serverCode, serverText }: NodeRefusedError): string => {
  const plain = serverText.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return `error ${serverCode}, ${JSON.stringify(plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain)}.`
}
