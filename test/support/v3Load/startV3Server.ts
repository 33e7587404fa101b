import { type BenchChild, startChild } from '../benchChild.ts'

export type V3Server = BenchChild<{ readonly url: string }>

/**
 * A server of the v3 interface in a process of its own, with the young generation that the files in deploy/ give it. By default it has no
 * cache of texts.
 */
export const startV3Server = (databaseUrl: string, textCacheBytes = 0): Promise<V3Server> =>
  startChild('benchV3Server', [databaseUrl, String(textCacheBytes)], ['--max-semi-space-size=64'])
