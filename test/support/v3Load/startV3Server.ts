import { type BenchChild, startChild } from '../benchChild.ts'

export type V3Server = BenchChild<{ readonly url: string }>

/** A server of the v3 interface in a process of its own, with the young generation that the files in deploy/ give it. */
export const startV3Server = (databaseUrl: string): Promise<V3Server> =>
  startChild('benchV3Server', [databaseUrl], ['--max-semi-space-size=64'])
