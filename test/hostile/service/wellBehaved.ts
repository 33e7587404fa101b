import { setTimeout as delay } from 'node:timers/promises'
import { writeWhole } from '../../../src/codec/cell/wholeCell.ts'
import { writeComment } from '../../../src/codec/content/text.ts'
import type { Json } from '../../support/v3Client.ts'
import { bocText } from './prey.ts'

/** What happened to callers who ask what clients ask. */
export type Behaved = {
  readonly latencies: number[]
  /** When each of them began. */
  readonly begun: number[]
  /** The same by path, without arguments. */
  readonly byPath: Map<string, number[]>
  readonly errors: string[]
  readonly wrong: string[]
}

/** A question, and what is wrong with an answer to it, if anything is. */
type Question = {
  readonly path: string
  readonly body?: unknown
  check(answer: Json): boolean
}

const PAUSE_MS = 40
const CALLERS = 4

/** Questions whose answers are known, as nobody touches the accounts they are about. */
export const createQuestions = async (url: string): Promise<readonly Question[]> => {
  const paid = `0:${'5a'.repeat(32)}`
  const { balance, transactions } = await prepare(url, paid)
  let newest = 0
  const text = 'hello'
  const comment = writeWhole(writeComment, { kind: 'text', bytes: new TextEncoder().encode(text) })
  const rises = (seqno: number): boolean => {
    // Answers may overtake each other on their way, by little.
    const isRight = seqno >= newest - 2
    newest = Math.max(newest, seqno)
    return isRight
  }
  return [
    { path: '/api/v2/healthcheck', check: () => true },
    { path: '/api/v2/getMasterchainInfo', check: ({ result }) => rises(result.last.seqno) },
    { path: `/api/v2/getAddressBalance?address=${paid}`, check: ({ result }) => result === balance },
    {
      path: `/api/v3/transactions?account=${paid}&limit=10`,
      check: (answer) => answer.transactions.map(({ hash }: Json) => hash).join() === transactions,
    },
    { path: `/api/v3/accountStates?address=${paid}`, check: ({ accounts }) => accounts[0]?.balance === balance },
    { path: '/api/v3/masterchainInfo', check: ({ last }) => last.seqno > 0 },
    {
      path: '/api/v3/decode',
      body: { bodies: [bocText(comment)] },
      check: ({ bodies }) => JSON.stringify(bodies[0]).includes(text),
    },
    { path: `/api/v3/traces?account=${paid}&limit=5`, check: ({ traces }) => traces.length > 0 },
  ]
}

/** An account that gets one payment, and nothing after it. */
const prepare = async (url: string, paid: string) => {
  const headers = { 'content-type': 'application/json' }
  const value = '1000000000'
  await fetch(`${url}/dev/impersonate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ source: `0:${'5b'.repeat(32)}`, destination: paid, value, bounce: false }),
  })
  for (;;) {
    const response = await fetch(`${url}/api/v3/transactions?account=${paid}`)
    const { transactions = [] } = (await response.json()) as { transactions?: { hash: string }[] }
    if (transactions.length > 0) {
      const state = await fetch(`${url}/api/v2/getAddressBalance?address=${paid}`)
      const { result } = (await state.json()) as { result: string }
      return { balance: result, transactions: transactions.map(({ hash }) => hash).join() }
    }
    await delay(200)
  }
}

/** Asks all of them in turn, from several callers, until told to stop. */
export const behave = async (url: string, questions: readonly Question[], signal: AbortSignal): Promise<Behaved> => {
  const behaved: Behaved = { latencies: [], begun: [], byPath: new Map(), errors: [], wrong: [] }
  const call = async (first: number): Promise<void> => {
    for (let k = first; !signal.aborted; k++) {
      await askOnce(url, questions[k % questions.length]!, behaved)
      await delay(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, k) => call(2 * k)))
  return behaved
}

const askOnce = async (
  url: string,
  { path, body, check }: Question,
  { latencies, begun, byPath, errors, wrong }: Behaved,
): Promise<void> => {
  const since = performance.now()
  try {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    const took = performance.now() - since
    const name = path.replace(/\?.*/, '')
    latencies.push(took)
    begun.push(since)
    const ofPath = byPath.get(name)
    // A copy for each would stop this process, which measures, to collect it.
    if (ofPath === undefined) byPath.set(name, [took])
    else ofPath.push(took)
    if (response.status !== 200) errors.push(`${path}: ${response.status} ${text.slice(0, 200)}`)
    else if (!check(JSON.parse(text))) wrong.push(`${path}: ${text.slice(0, 300)}`)
  } catch (error) {
    errors.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
