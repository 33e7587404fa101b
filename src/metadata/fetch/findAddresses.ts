import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { MetadataRefusedError, MetadataUnavailableError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { hostOf, type Remote } from './parseTarget.ts'

/** The addresses at which a host may be connected to: all that its name has, less those that are not allowed. */
export const findAddresses = async (
  { url, isTrusted }: Remote,
  { resolve, isAllowedAddress }: Pick<FetchRules, 'resolve' | 'isAllowedAddress'>,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = hostOf(url)
  const found = isIP(host) !== 0 ? [host] : await (isTrusted ? askSystem : resolve)(host, signal).catch(failure(host))
  signal.throwIfAborted()
  if (found.length === 0) {
    throw new MetadataUnavailableError(`The name ${host} has no address.`, { hostFailed: true })
  }
  const allowed = isTrusted ? found : found.filter((address) => isIP(address) !== 0 && isAllowedAddress(address))
  if (allowed.length === 0) {
    throw new MetadataRefusedError(`The name ${host} leads to ${found[0]}, which is not of the public internet.`)
  }
  return allowed
}

const askSystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const failure =
  (host: string) =>
  (cause: unknown): never => {
    const code = (cause as { code?: unknown } | undefined)?.code
    throw new MetadataUnavailableError(
      `The name ${host} could not be resolved: ${typeof code === 'string' ? code : String(cause)}.`,
      { hostFailed: true },
      { cause },
    )
  }
