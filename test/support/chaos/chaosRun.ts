import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { IndexProcess } from '../indexProcess.ts'
import { createRandom } from '../ownWorkload.ts'
import { runScript } from '../runScript.ts'
import { ServeProcess } from '../serveProcess.ts'
import { type Cleanup, tempFolder } from '../tempFolder.ts'
import { untilIndexed } from '../untilIndexed.ts'
import type { Json } from '../v3Client.ts'
import { type Part, startDatabase, startNode, startRedisPart } from './parts.ts'
import { growingQuestions, type Knowledge, learnQuestions, type Question } from './questions.ts'

export type ChaosOptions = {
  readonly seed: number
  /** Ends after the round in which so much time has passed; every round has each part away once. */
  readonly durationMs: number
  /** How long a part stays away. */
  readonly awayMs: { readonly least: number; readonly most: number }
  readonly withRedis: boolean
  readonly say: (line: string) => void
}

export type ChaosReport = {
  readonly answers: number
  readonly rounds: number
  /** Answers that were not what is known. */
  readonly wrong: readonly string[]
  /** Failures that no absence accounts for, or of another kind than the contract has. */
  readonly unexpected: readonly string[]
  /** Failures while a part was away, by part and status. */
  readonly refused: Readonly<Record<string, number>>
  /** The longest time from a part's return to the last failure that it caused. */
  readonly recoveryMs: Readonly<Record<string, number>>
  /** The longest time from there until the service called itself ready, the index being up to date again. */
  readonly readyMs: Readonly<Record<string, number>>
  readonly transactions: number
}

/** When a part was away. */
type Absence = { readonly part: Part['name']; readonly from: number; to: number; lastFailure: number }

type Faults = { readonly wrong: string[]; readonly unexpected: string[]; readonly refused: Record<string, number> }

const RECOVERY_MS = 10_000
const READY_MS = 60_000
const LOOPS = 6
const PAUSE_MS = 20

/** What each interface answers with where it cannot do what is asked. */
const refusals: Readonly<Record<Part['name'], readonly number[]>> = {
  node: [542, 504],
  database: [500, 504],
  redis: [],
}

/** Mixed questions to a service of several processes, while what it stands on is killed and started again, one part after the other. */
export const runChaos = async (t: Cleanup, options: ChaosOptions): Promise<ChaosReport> => {
  const { seed, say } = options
  const random = createRandom(seed)
  const folder = tempFolder(t)
  const database = await startDatabase(t, join(folder, 'postgres'))
  const node = await startNode(t, join(folder, 'node'))
  const redis = options.withRedis ? await startRedisPart(t) : undefined
  const settings = ['--global-config', node.ready.globalConfig, '--database-url', database.url]
  const indexer = new IndexProcess([...settings, '--data-dir', join(folder, 'index')])
  t.after(() => indexer.isRunning && indexer.send('SIGKILL'))
  const more = [
    '--workers',
    '2',
    '--port',
    '0',
    '--anonymous-v2',
    '100000',
    '--anonymous-v3',
    '100000',
    '--ready-index-lag',
    '10s',
  ]
  const shared = redis === undefined ? [] : ['--redis-url', redis.url]
  const service = new ServeProcess(['serve', ...settings, ...more, ...shared], folder)
  t.after(() => service.kill())
  const url = await service.url
  await untilIndexed(`${url}/api/v3`, 6)
  say(`serving at ${url}`)

  const knowledge: Knowledge = { transactions: new Map(), heads: { v2: [], v3: [] } }
  const growing = growingQuestions(url, random, knowledge)
  const newest = growing[0]!()
  assert.equal(newest.findFault((await newest.ask()).body), undefined)
  const questions = [...(await learnQuestions(url, node.ready.accounts[0]!.address, knowledge)), ...growing]

  const faults: Faults = { wrong: [], unexpected: [], refused: {} }
  const absences: Absence[] = []
  let answers = 0
  let isOver = false
  const loops = Array.from({ length: LOOPS }, async () => {
    while (!isOver) {
      await judge(questions[random.below(questions.length)]!(), absences, faults)
      answers++
      await delay(PAUSE_MS)
    }
  })

  const parts = [node, database, ...(redis === undefined ? [] : [redis])]
  const end = performance.now() + options.durationMs
  const readyMs: Record<string, number> = {}
  let rounds = 0
  do {
    for (const part of shuffle(parts, (below) => random.below(below))) {
      await delay(1000)
      await takeAway(part, absences, options, random.below(1_000_000) / 1_000_000, say)
      const tookMs = await untilReady(url, part.name, indexer)
      readyMs[part.name] = Math.max(readyMs[part.name] ?? 0, tookMs)
    }
    rounds++
  } while (performance.now() < end)
  await delay(1000)
  isOver = true
  await Promise.all(loops)
  assert.ok(indexer.isRunning, `The indexer ended:\n${indexer.lines.slice(-20).join('\n')}`)
  await checkAll(url, knowledge, faults)
  await indexer.stop()
  service.send('SIGTERM')
  assert.equal(await service.exited, 0, service.lines.slice(-20).join('\n'))
  const verified = runScript('bin/chaincenter.js', ['db', 'verify', ...settings, '--data-dir', join(folder, 'index')])
  assert.equal(verified.exitCode, 0, `${verified.stdout}${verified.stderr}`)
  say(verified.stdout.trim())
  return {
    answers,
    rounds,
    ...faults,
    recoveryMs: longestRecoveries(absences),
    readyMs,
    transactions: knowledge.transactions.size,
  }
}

const takeAway = async (
  part: Part,
  absences: Absence[],
  { awayMs: { least, most } }: ChaosOptions,
  share: number,
  say: (line: string) => void,
): Promise<void> => {
  const absence: Absence = { part: part.name, from: performance.now(), to: Number.POSITIVE_INFINITY, lastFailure: 0 }
  absences.push(absence)
  await part.kill()
  await delay(least + share * (most - least))
  await part.start()
  absence.to = performance.now()
  say(`${part.name} was away for ${Math.round(absence.to - absence.from)} ms`)
}

/** Asks, and holds the answer against what is known and who is away. */
const judge = async (question: Question, absences: readonly Absence[], faults: Faults): Promise<void> => {
  const { name, needs } = question
  const asked = performance.now()
  try {
    const { status, body } = await question.ask()
    const now = performance.now()
    if (status === 200) {
      const fault = question.findFault(body)
      if (fault !== undefined) faults.wrong.push(`${name}: ${fault}`)
      return
    }
    const absence = absences.findLast(
      ({ part, from, to }) => part === needs && now >= from && asked <= to + RECOVERY_MS,
    )
    const isKnown = refusals[needs].includes(status) && isWellFormed(needs, status, body)
    if (absence === undefined || !isKnown) {
      faults.unexpected.push(`${name}: ${status} ${JSON.stringify(body)} with ${absence?.part ?? 'nobody'} away`)
      return
    }
    absence.lastFailure = Math.max(absence.lastFailure, asked)
    const kind = `${needs} ${status}`
    faults.refused[kind] = (faults.refused[kind] ?? 0) + 1
  } catch (error) {
    faults.unexpected.push(`${name}: no answer, ${error instanceof Error ? `${error.message} ${error.cause}` : error}`)
  }
}

/** The shape that each interface gives its failures; what nobody foresaw is never right. */
const isWellFormed = (needs: Part['name'], status: number, body: Json): boolean =>
  typeof body?.error === 'string' &&
  !/a reason that is not its own/.test(body.error) &&
  (needs !== 'node' || (body.ok === false && body.code === status))

/** By its own word: that the index has caught up takes as long as there is work to do, on a machine that does other things, too. */
const untilReady = async (url: string, part: string, indexer: IndexProcess): Promise<number> => {
  const start = performance.now()
  for (;;) {
    const response = await fetch(`${url}/ready`)
    const text = await response.text()
    const tookMs = Math.round(performance.now() - start)
    if (response.status === 200) return tookMs
    const log = indexer.lines.slice(-10).join('\n')
    assert.ok(tookMs < READY_MS, `The service is not ready ${READY_MS} ms after the ${part} came back: ${text}\n${log}`)
    await delay(100)
  }
}

/** Everything that was ever shown is there. */
const checkAll = async (url: string, { transactions }: Knowledge, { wrong }: Faults): Promise<void> => {
  for (const [hash, { account }] of transactions) {
    const response = await fetch(`${url}/api/v3/transactions?${new URLSearchParams({ hash })}`)
    const { transactions: found } = (await response.json()) as { transactions?: { account: string }[] }
    if (found?.[0]?.account !== account) wrong.push(`in the end ${hash} is lost`)
  }
}

const longestRecoveries = (absences: readonly Absence[]): Record<string, number> => {
  const longest: Record<string, number> = {}
  for (const { part, to, lastFailure } of absences) {
    longest[part] = Math.max(longest[part] ?? 0, Math.round(Math.max(0, lastFailure - to)))
  }
  return longest
}

const shuffle = <T>(items: readonly T[], below: (count: number) => number): T[] => {
  const left = [...items]
  return items.map(() => left.splice(below(left.length), 1)[0]!)
}
