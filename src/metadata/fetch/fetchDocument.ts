import { onAbort } from '../../primitives/scheduling.ts'
import { MetadataError, MetadataUnavailableError, MetadataUnusableError } from '../errors.ts'
import { askOnce, checkMediaType } from './askOnce.ts'
import type { FetchRules } from './FetchRules.ts'
import { parseRedirect, type Remote, type Target } from './parseTarget.ts'

/** The bytes of the JSON document that a target leads to. Every hop of the way is held to the same rules. */
export const fetchDocument = async (target: Target, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> => {
  if (target.kind === 'inline') {
    checkMediaType(target.mediaType)
    return target.bytes
  }
  const { totalMs } = rules.limits
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(tookTooLong(target.url, totalMs)), totalMs)
  const leave = onAbort(signal, () => controller.abort(signal.reason))
  try {
    return await untilAborted(followRedirects(target, rules, controller.signal), controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    throw error instanceof MetadataError ? error : lostOnTheWay(target.url, error)
  } finally {
    clearTimeout(timer)
    leave()
  }
}

const followRedirects = async (first: Remote, rules: FetchRules, signal: AbortSignal): Promise<Uint8Array> => {
  let remote = first
  for (let hops = 0; hops <= rules.limits.maxRedirects; hops++) {
    const answer = await askOnce(remote, rules, signal)
    if (answer.kind === 'document') return answer.bytes
    remote = parseRedirect(answer.location, remote.url, rules)
  }
  throw new MetadataUnusableError(`More than ${rules.limits.maxRedirects} redirects are not followed.`)
}

/** Does not wait for work that cannot be ended, as a question to a name server. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(leave)
  })

const tookTooLong = ({ host }: URL, totalMs: number): Error =>
  new MetadataUnavailableError(`${host} did not send the document within ${totalMs / 1000} s.`, { hostFailed: true })

const lostOnTheWay = ({ host }: URL, cause: unknown): Error => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MetadataUnavailableError(
    `The document of ${host} did not come whole: ${reason}.`,
    { hostFailed: true },
    { cause },
  )
}
