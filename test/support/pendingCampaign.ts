import { setTimeout as delay } from 'node:timers/promises'
import { type Difference, explainDifference } from './foreseenDifferences.ts'
import type { PendingNetwork, SentBoc } from './pendingNetwork.ts'
import type { Json } from './v3Client.ts'

export type CampaignOptions = {
  readonly sends: number
  readonly pollMs?: number
  readonly onProgress?: (line: string) => void
}

/** How many traces are not as they were foreseen, by why. */
export type Causes = Readonly<Record<Difference['cause'], number>>

export type CampaignReport = {
  readonly sends: number
  readonly polls: number
  /** Were seen before they were final. */
  readonly foreseen: number
  /** Accounts, values and exit codes, when it was final, against those of the first sight, and of the last one before. */
  readonly first: Causes
  readonly last: Causes
  /** What came otherwise than it was foreseen at last, and nobody knows why. */
  readonly unexplained: readonly string[]
  /** Each says what was seen when. */
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly unfinished: readonly string[]
  /** Milliseconds from the sending to the first sight, of some that were waited for. */
  readonly delays: readonly number[]
}

type Watched = {
  readonly step: string
  readonly sent: SentBoc
  /** As it was before any of it was real, and as it was when the last of it was not yet. */
  first: Json | undefined
  last: Json | undefined
  /** With their actions: as one may see them, too. */
  hadActions: boolean
  final: Json | undefined
}

type Sight = { readonly traces: Map<string, Json>; readonly actions: Set<string>; readonly doubles: string[] }

/** Of so many sends one is waited for. */
const TIMED = 10

/** Traces that one poll asks for, and rows: such a request is short, so that polls do not wait for the slow lane. */
const MOST_OPEN = 20
const MOST_ROWS = 100

/** What is in the way of somebody who looks for a trace in both places, the one after the other, all the time. */
export const runPendingCampaign = async (
  network: PendingNetwork,
  { sends, pollMs = 50, onProgress = () => undefined }: CampaignOptions,
): Promise<CampaignReport> => {
  const { sent, traffic } = network
  const watched: Watched[] = []
  const delays: number[] = []
  const lost: string[] = []
  const twice: string[] = []
  let polls = 0
  let isSending = true
  const poll = async (): Promise<void> => {
    const open = watched.filter(({ final }) => final === undefined).slice(0, MOST_OPEN)
    if (open.length === 0) return
    polls++
    const hashes = open.map(({ sent: { hash } }) => hash)
    const before = await lookAtPending(network, hashes)
    const final = await lookAtFinal(network, hashes)
    const after = await lookAtPending(network, hashes)
    for (const each of open) judge(each, before, final, after, { lost, twice })
  }
  const polling = (async () => {
    while (isSending || watched.some(({ final }) => final === undefined)) {
      const start = performance.now()
      await poll()
      if (!isSending && start - watched.at(-1)!.sent.takenAt > 60_000) return
      await delay(Math.max(0, pollMs - (performance.now() - start)))
    }
  })()
  for (let k = 0; k < sends; k++) {
    const from = sent.length
    const step = await traffic.step()
    for (const each of sent.slice(from)) {
      watched.push({ step, sent: each, first: undefined, last: undefined, hadActions: false, final: undefined })
    }
    if (k % TIMED === 0 && sent.length > from) delays.push(await waitForSight(network, sent.at(-1)!))
    if (k % 100 === 99) onProgress(`${k + 1} sent, ${lost.length} lost, ${twice.length} twice`)
  }
  isSending = false
  await polling
  const foreseen = watched.filter(({ first }) => first !== undefined)
  const done = foreseen.filter(({ final }) => final !== undefined)
  const explained = done.map(({ first, last, final, step }) => ({
    step,
    first: explainDifference(first, final),
    last: explainDifference(last, final),
  }))
  return {
    sends: watched.length,
    polls,
    foreseen: foreseen.length,
    first: countCauses(explained.map((each) => each.first)),
    last: countCauses(explained.map((each) => each.last)),
    unexplained: explained.flatMap(({ step, first, last }) =>
      [first, last].filter(({ cause }) => cause === 'unexplained').map(({ detail }) => `${step}: ${detail}`),
    ),
    lost,
    twice,
    unfinished: watched.filter(({ final }) => final === undefined).map(({ step }) => step),
    delays,
  }
}

const countCauses = (differences: readonly Difference[]): Causes => {
  const counts = {
    none: 0,
    'another transaction': 0,
    'another order': 0,
    'another second': 0,
    'cut short': 0,
    unexplained: 0,
  }
  for (const { cause } of differences) counts[cause]++
  return counts
}

/** Looks for it alone, until it is pending or final. */
const waitForSight = async ({ ask }: PendingNetwork, { hash, sentAt }: SentBoc): Promise<number> => {
  for (;;) {
    const { traces } = await ask('pendingTraces', { ext_msg_hash: hash, ...bare })
    const ms = performance.now() - sentAt
    if (traces.length > 0 || ms > 10_000) return ms
    await delay(5)
  }
}

type Faults = { readonly lost: string[]; readonly twice: string[] }

/** Whoever asks what is pending first must find it there or, later, where it is final; whoever asks the other way round, not in both. */
const judge = (each: Watched, before: Sight, final: Sight, after: Sight, { lost, twice }: Faults): void => {
  const { hash } = each.sent
  const name = `${each.step} ${hash}`
  const isPending = before.traces.has(hash)
  const isFinal = final.traces.has(hash)
  if (each.first !== undefined && !isPending && !isFinal) lost.push(`${name}: trace`)
  if (isFinal && after.traces.has(hash)) twice.push(`${name}: trace`)
  if (each.hadActions && !before.actions.has(hash) && !final.actions.has(hash)) lost.push(`${name}: actions`)
  if (final.actions.has(hash) && after.actions.has(hash)) twice.push(`${name}: actions`)
  for (const { doubles } of [before, final, after]) if (doubles.includes(hash)) twice.push(`${name}: in one answer`)
  for (const trace of [before.traces.get(hash), after.traces.get(hash)]) {
    if (trace === undefined) continue
    each.first ??= trace
    if (each.last === undefined || isForeseen(trace)) each.last = trace
  }
  each.hadActions ||= before.actions.has(hash) || after.actions.has(hash)
  if (isFinal && final.actions.has(hash) && !after.traces.has(hash)) each.final = final.traces.get(hash)
}

/** Whether there is anything in it that has not happened yet. */
const isForeseen = ({ transactions }: Json): boolean =>
  Object.values<Json>(transactions).some(({ emulated }) => emulated)

const bare = { x_no_address_book: true, x_no_metadata: true }

const lookAtPending = async ({ ask }: PendingNetwork, hashes: readonly string[]): Promise<Sight> => {
  const { actions } = await ask('pendingActions', { ext_msg_hash: hashes, ...bare })
  return toSight((await ask('pendingTraces', { ext_msg_hash: hashes, ...bare })).traces, actions)
}

const lookAtFinal = async ({ ask }: PendingNetwork, hashes: readonly string[]): Promise<Sight> => {
  const { traces } = await ask('traces', { msg_hash: hashes, limit: MOST_ROWS, ...bare })
  return toSight(traces, (await ask('actions', { msg_hash: hashes, limit: MOST_ROWS, ...bare })).actions)
}

const toSight = (traces: readonly Json[], actions: readonly Json[]): Sight => {
  const names = traces.map(({ external_hash: hash }) => hash as string)
  return {
    traces: new Map(traces.map((trace) => [trace.external_hash, trace])),
    actions: new Set(actions.map(({ trace_external_hash: hash }) => hash)),
    doubles: names.filter((hash, k) => names.indexOf(hash) !== k),
  }
}
