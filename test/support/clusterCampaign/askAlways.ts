import { setTimeout as delay } from 'node:timers/promises'
import { pause } from '../../../src/primitives/scheduling.ts'

/** What came of reads under load. */
export type Asked = {
  answers: number
  /** Refused by status, all of which a client may ask again. */
  readonly refused: Record<string, number>
  /** Answers that were not what one server says, and failures of another kind. */
  readonly wrong: string[]
}

/** What a service says when its database, or a part of it, is away. */
const REFUSALS = [500, 503, 504]
const PAUSE_MS = 30
const MANY = 1000

type TransactionList = { readonly transactions: readonly { readonly hash: string }[] }

/** The hashes of the transactions of a masterchain block, or the status of a refusal. */
const askBlock = async (url: string, seqno: number): Promise<string | number> => {
  const answer = await fetch(`${url}/api/v3/transactionsByMasterchainBlock?seqno=${seqno}&limit=${MANY}`)
  const body = await answer.text()
  if (answer.status !== 200) return answer.status
  return (JSON.parse(body) as TransactionList).transactions.map(({ hash }) => hash).join(' ')
}

const TRIES = 2000

/** The one server may be on the machine of the coordinator, and away with it. */
const askExpected = async (url: string, seqno: number): Promise<string | number> => {
  for (let tries = 0; ; tries++) {
    const answer = await askBlock(url, seqno)
    if (typeof answer === 'string' || tries >= TRIES) return answer
    await delay(PAUSE_MS)
  }
}

/**
 * Asks for the transactions of indexed blocks until the signal, and compares each answer with that of one server that has them all. A
 * block that is indexed has all of them, once.
 */
export const askAlways = async (
  { tried, expected }: { readonly tried: string; readonly expected: string },
  pickBlock: () => number | undefined,
  signal: AbortSignal,
): Promise<Asked> => {
  const asked: Asked = { answers: 0, refused: {}, wrong: [] }
  while (!signal.aborted) {
    const seqno = pickBlock()
    if (seqno !== undefined) {
      const answer = await askBlock(tried, seqno)
      if (typeof answer === 'string') {
        asked.answers++
        const right = await askExpected(expected, seqno)
        if (answer !== right)
          asked.wrong.push(`block ${seqno}: ${answer.slice(0, 200)} instead of ${String(right).slice(0, 200)}`)
      } else if (REFUSALS.includes(answer)) asked.refused[answer] = (asked.refused[answer] ?? 0) + 1
      else asked.wrong.push(`block ${seqno}: status ${answer}`)
    }
    await pause(PAUSE_MS, signal).catch(() => undefined)
  }
  return asked
}
