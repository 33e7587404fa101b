import { setTimeout as delay } from 'node:timers/promises'
import type { PendingNetwork, SentBoc } from './pendingNetwork.ts'
import type { Json } from './v3Oracle.ts'

export type CampaignOptions = {
  readonly sends: number
  readonly pollMs?: number
  readonly onProgress?: (line: string) => void
}

export type CampaignReport = {
  readonly sends: number
  readonly polls: number
  /** Were seen before they were final. */
  readonly foreseen: number
  /** Was shown in the same way again when it was final: accounts, values and exit codes. */
  readonly equal: number
  /** Each says what was seen when. */
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly unfinished: readonly string[]
  /** Milliseconds from the answer of the network to the first sight. */
  readonly delays: readonly number[]
}

type Watched = {
  readonly step: string
  readonly sent: SentBoc
  pending: Json | undefined
  /** With their actions: as one may see them, too. */
  hadActions: boolean
  firstSeenAt: number | undefined
  final: Json | undefined
}

type Sight = { readonly traces: Map<string, Json>; readonly actions: Set<string>; readonly doubles: string[] }

/** What is in the way of somebody who looks for a trace in both places, the one after the other, all the time. */
export const runPendingCampaign = async (
  network: PendingNetwork,
  { sends, pollMs = 50, onProgress = () => undefined }: CampaignOptions,
): Promise<CampaignReport> => {
  const { sent, traffic } = network
  const watched: Watched[] = []
  const lost: string[] = []
  const twice: string[] = []
  let polls = 0
  let isSending = true
  const poll = async (): Promise<void> => {
    const open = watched.filter(({ final }) => final === undefined).slice(0, 40)
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
      watched.push({
        step,
        sent: each,
        pending: undefined,
        hadActions: false,
        firstSeenAt: undefined,
        final: undefined,
      })
    }
    if (k % 100 === 99) onProgress(`${k + 1} sent, ${lost.length} lost, ${twice.length} twice`)
  }
  isSending = false
  await polling
  const foreseen = watched.filter(({ pending }) => pending !== undefined)
  return {
    sends: watched.length,
    polls,
    foreseen: foreseen.length,
    equal: foreseen.filter(({ pending, final }) => final !== undefined && outline(pending) === outline(final)).length,
    lost,
    twice,
    unfinished: watched.filter(({ final }) => final === undefined).map(({ step }) => step),
    delays: foreseen.map(({ firstSeenAt, sent: { takenAt } }) => firstSeenAt! - takenAt),
  }
}

type Faults = { readonly lost: string[]; readonly twice: string[] }

/** Whoever asks what is pending first must find it there or, later, where it is final; whoever asks the other way round, not in both. */
const judge = (each: Watched, before: Sight, final: Sight, after: Sight, { lost, twice }: Faults): void => {
  const { hash } = each.sent
  const name = `${each.step} ${hash}`
  const isPending = before.traces.has(hash)
  const isFinal = final.traces.has(hash)
  if (each.firstSeenAt !== undefined && !isPending && !isFinal) lost.push(`${name}: trace`)
  if (isFinal && after.traces.has(hash)) twice.push(`${name}: trace`)
  if (each.hadActions && !before.actions.has(hash) && !final.actions.has(hash)) lost.push(`${name}: actions`)
  if (final.actions.has(hash) && after.actions.has(hash)) twice.push(`${name}: actions`)
  for (const { doubles } of [before, final, after]) if (doubles.includes(hash)) twice.push(`${name}: in one answer`)
  if (isPending || after.traces.has(hash)) {
    each.firstSeenAt ??= performance.now()
    // As it was before any of it was real.
    each.pending ??= before.traces.get(hash) ?? after.traces.get(hash)
  }
  each.hadActions ||= before.actions.has(hash) || after.actions.has(hash)
  if (isFinal && final.actions.has(hash) && !after.traces.has(hash)) each.final = final.traces.get(hash)
}

const bare = { x_no_address_book: true, x_no_metadata: true }

const lookAtPending = async ({ ask }: PendingNetwork, hashes: readonly string[]): Promise<Sight> => {
  const { actions } = await ask('pendingActions', { ext_msg_hash: hashes, ...bare })
  return toSight((await ask('pendingTraces', { ext_msg_hash: hashes, ...bare })).traces, actions)
}

const lookAtFinal = async ({ ask }: PendingNetwork, hashes: readonly string[]): Promise<Sight> => {
  const { traces } = await ask('traces', { msg_hash: hashes, limit: 1000, ...bare })
  return toSight(traces, (await ask('actions', { msg_hash: hashes, limit: 1000, ...bare })).actions)
}

const toSight = (traces: readonly Json[], actions: readonly Json[]): Sight => {
  const names = traces.map(({ external_hash: hash }) => hash as string)
  return {
    traces: new Map(traces.map((trace) => [trace.external_hash, trace])),
    actions: new Set(actions.map(({ trace_external_hash: hash }) => hash)),
    doubles: names.filter((hash, k) => names.indexOf(hash) !== k),
  }
}

/** Accounts, values and exit codes. */
const outline = (trace: Json): string =>
  JSON.stringify(
    Object.values<Json>(trace.transactions)
      .map(({ account, in_msg: message, description: { compute_ph: run } }) =>
        [account, message?.value, run.skipped ? run.reason : run.exit_code].join(' '),
      )
      .sort(),
  )
