import type { Cluster, Worker } from 'node:cluster'
import type { Logger } from '../../observe/Logger.ts'
import type { Rate } from '../../primitives/Rate.ts'
import { MemoryCounters } from './MemoryCounters.ts'
import { SharedCounters } from './SharedCounters.ts'

/** A question of a worker, and its answer. All that come at a time are in one message. */
type Take = readonly [id: number, name: string, perSecond: number, burst: number]
type Answer = readonly [id: number, isAllowed: boolean, aheadMs: number]

const TAKES = 'chaincenter:takes'
const TAKEN = 'chaincenter:taken'
const ANSWER_MS = 500

type Message = { readonly [TAKES]?: readonly Take[]; readonly [TAKEN]?: readonly Answer[] }

const toMessage = (message: unknown): Message => (typeof message === 'object' && message !== null ? message : {})

/** Keeps the budgets of all workers: to be called in the primary process. Returns how to end that. */
export const countForWorkers = (cluster: Pick<Cluster, 'on' | 'off'>): (() => void) => {
  const counters = new MemoryCounters()
  const rates = new Map<string, Rate>()
  const answer = (worker: Worker, message: unknown): void => {
    const takes = toMessage(message)[TAKES]
    if (takes === undefined) return
    const answers = takes.map(([id, name, perSecond, burst]): Answer => {
      const { isAllowed, resetMs } = counters.take(name, findRate(rates, perSecond, burst))
      return [id, isAllowed, resetMs]
    })
    // A worker that has gone meanwhile wants no answer.
    if (worker.isConnected()) worker.send({ [TAKEN]: answers }, () => undefined)
  }
  cluster.on('message', answer)
  return () => void cluster.off('message', answer)
}

/** The same object for the same rate, by which its arithmetic is kept. */
const findRate = (rates: Map<string, Rate>, perSecond: number, burst: number): Rate => {
  const name = `${perSecond}:${burst}`
  let rate = rates.get(name)
  if (rate === undefined) {
    rate = { perSecond, burst }
    rates.set(name, rate)
  }
  return rate
}

/** The end of a worker process that leads to its primary. */
type Line = Pick<NodeJS.Process, 'send' | 'on' | 'off'>

/** Budgets that the primary process keeps for all its workers. */
export const openWorkerCounters = (line: Line, logger: Logger): SharedCounters => {
  const waiting = new Map<number, (answer: Answer) => void>()
  let takes: Take[] = []
  let lastId = 0
  const send = (): void => {
    const message = { [TAKES]: takes }
    takes = []
    line.send?.(message, undefined, undefined, () => undefined)
  }
  const receive = (message: unknown): void => {
    for (const answer of toMessage(message)[TAKEN] ?? []) {
      waiting.get(answer[0])?.(answer)
      waiting.delete(answer[0])
    }
  }
  line.on('message', receive)
  return new SharedCounters(
    (name, { perSecond, burst }) =>
      new Promise((done, fail) => {
        const id = ++lastId
        const timer = setTimeout(() => {
          waiting.delete(id)
          fail(new Error('The primary process does not answer.'))
        }, ANSWER_MS)
        waiting.set(id, ([, isAllowed, aheadMs]) => {
          clearTimeout(timer)
          done({ isAllowed, aheadMs })
        })
        if (takes.push([id, name, perSecond, burst]) === 1) setImmediate(send)
      }),
    () => void line.off('message', receive),
    logger,
  )
}
