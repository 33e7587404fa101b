import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ReplayView } from '../../api/debug/views.ts'
import { callReplay, callSteps, RequestError } from '../fetch/requests.ts'
import {
  addPage,
  findPage,
  findSkipEnd,
  PAGE_STEPS,
  pageStart,
  type Skip,
  type StepPages,
  toPage,
} from '../model/vmSteps.ts'

/** A transaction by its hash in base64; without an index its account and logical time are needed as well. */
export type ReplayTarget = { readonly hash: string; readonly account?: string; readonly lt?: string }

export type LoadedReplay = {
  readonly replay: ReplayView | undefined
  /** Why there is no replay. */
  readonly error: Error | undefined
  readonly pages: StepPages
  /** Why the newest page of steps could not be loaded. */
  readonly pageError: Error | undefined
  /** Loads the steps around a position, unless they are there. */
  want(index: number): void
  /** Where a skip from a step ends; the number of steps where the run ends before. */
  skip(index: number, kind: Skip, signal: AbortSignal): Promise<number>
  retry(): void
}

const NEVER_SHOWN: Pick<LoadedReplay, 'replay' | 'error' | 'pages' | 'pageError'> = {
  replay: undefined,
  error: undefined,
  pages: [],
  pageError: undefined,
}

/** Steps of a page of a search: only their depth is read. */
const SEARCH_STEPS = 20_000

const recorded = { count: PAGE_STEPS, stack: 'diff', registers: true, cells: true } as const

/** Replays a transaction, and loads pages of its steps on demand. */
export const useReplay = ({ hash, account, lt }: ReplayTarget, firstStep: number): LoadedReplay => {
  const [state, setState] = useState(NEVER_SHOWN)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(state)
  latest.current = state
  const loading = useRef<{ readonly from: number; readonly ending: AbortController }>(undefined)
  const first = useRef(firstStep)
  const target = account === undefined || lt === undefined ? { hash } : { hash, account, lt }
  const key = `${hash} ${account} ${lt}`

  useEffect(() => {
    const ending = new AbortController()
    setState(NEVER_SHOWN)
    callReplay({ ...target, steps: 'all', from: pageStart([], first.current), ...recorded }, ending.signal).then(
      (replay) => {
        const pages = replay.vm === undefined ? [] : [toPage(replay.vm, replay.cells)]
        setState({ ...NEVER_SHOWN, replay: withoutSteps(replay), pages })
      },
      (error: Error) => {
        if (!ending.signal.aborted) setState({ ...NEVER_SHOWN, error })
      },
    )
    return () => {
      ending.abort()
      loading.current?.ending.abort()
      loading.current = undefined
    }
  }, [key, attempt])

  /** A replay is kept for ten minutes: after that it is made again. */
  const readSteps = async (args: Omit<Parameters<typeof callSteps>[0], 'hash'>, signal: AbortSignal) => {
    try {
      return await callSteps({ hash, ...args }, signal)
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'replay_not_kept')) throw error
      await callReplay({ ...target, steps: 'none' }, signal)
      return callSteps({ hash, ...args }, signal)
    }
  }

  const load = async (from: number): Promise<void> => {
    loading.current?.ending.abort()
    const ending = new AbortController()
    loading.current = { from, ending }
    try {
      const { vm, cells } = await readSteps({ from, ...recorded }, ending.signal)
      if (vm !== undefined && !ending.signal.aborted) {
        const page = toPage(vm, cells)
        if (page.steps.length === 0) throw new Error(`The server has no steps from ${from} on. Reload the page.`)
        setState((before) => ({ ...before, pages: addPage(before.pages, page), pageError: undefined }))
      }
    } catch (error) {
      if (!ending.signal.aborted) setState((before) => ({ ...before, pageError: error as Error }))
    }
    if (loading.current?.ending === ending) loading.current = undefined
  }

  const want = (index: number): void => {
    const { pages, replay } = latest.current
    const total = replay?.vm?.steps_total ?? 0
    if (index < 0 || index >= total || findPage(pages, index) !== undefined) return
    const from = pageStart(pages, index)
    if (loading.current?.from !== from) void load(from)
  }

  const skip = async (index: number, kind: Skip, signal: AbortSignal): Promise<number> => {
    const { pages, replay } = latest.current
    const total = replay?.vm?.steps_total ?? 0
    const page = findPage(pages, index)
    if (page === undefined) return index
    const { d: depth } = page.steps[index - page.from]!
    const near = page.steps.slice(index + 1 - page.from)
    let found = findSkipEnd(near, kind, depth)
    for (let from = index + 1 + near.length; found === undefined && from < total; ) {
      const args = { from, count: SEARCH_STEPS, stack: 'none', cells: false, registers: false } as const
      const steps = (await readSteps(args, signal)).vm?.steps ?? []
      if (steps.length === 0) break
      found = findSkipEnd(steps, kind, depth)
      from = steps.at(-1)!.i + 1
    }
    return found ?? total
  }

  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...state, want, skip, retry }
}

/** Steps are kept as pages, so that old ones can be dropped. */
const withoutSteps = (replay: ReplayView): ReplayView =>
  replay.vm === undefined ? replay : { ...replay, vm: { ...replay.vm, steps: [], checkpoints: {} } }
