import { Resolver } from 'node:dns/promises'
import type { Resolve } from './FetchRules.ts'

const QUERY_MS = 2500
const TRIES = 2

/**
 * Asks name servers itself. The usual way, through the system, takes a thread of a few that reading files needs, too, for as long
 * as it lasts; and it knows names of this machine and its neighbours, which are none of a token's business. Without `servers`,
 * those of the system are asked.
 */
export const createResolve = (servers?: readonly string[]): Resolve => {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0 || v4.status === 'fulfilled') return found
    throw v4.reason
  }
}
