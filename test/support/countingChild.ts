// A worker that takes from a budget when it is told to, and tells how often it was let through.
import { openWorkerCounters } from '../../src/gateway/counters/SharedCounters.ts'
import { silentLogger } from './databaseServer.ts'

const counters = openWorkerCounters(process, silentLogger)
const rate = { perSecond: 0.01, burst: 10 }

process.on('message', async (message: unknown) => {
  if (typeof message !== 'object' || message === null || !('budget' in message)) return
  const { budget, count } = message as { readonly budget: string; readonly count: number }
  const taken = await Promise.all(Array.from({ length: count }, () => counters.take(budget, rate)))
  process.send?.({ allowed: taken.filter(({ isAllowed }) => isAllowed).length })
})

process.send?.({ ready: true })
