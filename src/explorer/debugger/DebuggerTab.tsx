import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ReplayView } from '../../api/debug/views.ts'
import { RequestError } from '../fetch/requests.ts'
import { Card, Empty, Failure } from '../parts/basics.tsx'
import { GasCard } from './Gas.tsx'
import { ActionsCard, FailureNote, MoneyCard, Skipped, StateCard, VerdictCard } from './Outcome.tsx'
import { setPosition } from './position.ts'
import { Stepper } from './Stepper.tsx'
import { type LoadedReplay, type ReplayTarget, useReplay } from './useReplay.ts'

/** A transaction replayed step by step. */
export const DebuggerTab = ({ target, step }: { readonly target: ReplayTarget; readonly step: number | undefined }) => {
  const loaded = useReplay(target, step ?? 0)
  const { replay, error, retry } = loaded
  if (error !== undefined) return <ReplayError error={error} onRetry={retry} />
  if (replay === undefined) return <Progress />
  return <Replayed replay={replay} loaded={loaded} step={step} />
}

type ReplayedProps = {
  readonly replay: ReplayView
  readonly loaded: LoadedReplay
  readonly step: number | undefined
}

/** A run opens where it failed, unless the address names a step. */
const Replayed = ({ replay, loaded, step }: ReplayedProps) => {
  const { vm, failure, actions, state, money, skipped, cells } = replay
  const total = vm?.steps_total ?? 0
  const position = Math.min(total, step ?? failure?.step ?? 0)
  const move = (to: number): void => setPosition({ isOpen: true, step: Math.max(0, Math.min(total, to)) })
  const find = (hash: string): string | undefined => {
    const page = loaded.pages.find((each) => each.cells[hash] !== undefined)
    return page?.cells[hash] ?? cells[hash]
  }
  useEffect(() => loaded.want(Math.min(position, total - 1)), [position, total, loaded.pages])
  // What does not depend on the step is drawn once.
  const above = useMemo(
    () => (
      <>
        <VerdictCard replay={replay} />
        <FailureNote replay={replay} onJump={move} />
      </>
    ),
    [replay],
  )
  const below = useMemo(
    () => (
      <>
        {vm !== undefined && <GasCard vm={vm} />}
        <ActionsCard actions={actions} onJump={move} />
        <div class="columns is-even">
          <StateCard state={state} find={find} />
          {money !== undefined && <MoneyCard money={money} />}
        </div>
      </>
    ),
    [replay, loaded.pages],
  )
  return (
    <>
      {above}
      {skipped !== undefined && <Skipped reason={skipped} />}
      {vm !== undefined && total === 0 && skipped === undefined && (
        <Card title="Instructions">
          <Empty icon="gauge">
            {vm.precompiled === true
              ? 'The network has this contract precompiled: it has no steps.'
              : 'The run has no steps.'}
          </Empty>
        </Card>
      )}
      {vm !== undefined && total > 0 && (
        <Stepper replay={replay} vm={vm} loaded={loaded} position={position} onMove={move} find={find} />
      )}
      {below}
    </>
  )
}

const SLOW_SECONDS = 3

/** The server fetches and proves what the run needs: for an old transaction that takes a while. */
const Progress = () => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Card title="Replay">
      <div class="replaying" role="status">
        <progress aria-label="Replaying the transaction" />
        <p>
          Replaying the transaction: fetching the block, the account before it and the configuration, checking their
          proofs, running the code.{seconds >= SLOW_SECONDS && ` ${seconds} s; it may take up to 30 s.`}
        </p>
      </div>
    </Card>
  )
}

/** What a reader can do about an error. */
const advice: { readonly [code: string]: string } = {
  transaction_not_found: 'Open the transaction from its account page, or wait until the index has it.',
  state_not_kept: 'Add an archive liteserver to the global configuration: others keep recent states only.',
  replay_failed: 'An earlier transaction of the account in the same block could not be repeated. Please report it.',
  unsupported_kind: 'Split and merge transactions cannot be replayed.',
  vm_busy: 'Other replays are under way. Try again in a moment.',
  timeout: 'The run takes too long for this server. Try again when it is less busy.',
  vm_crashed: 'The run needed more memory than this server allows.',
  proof_failed: 'A liteserver gave wrong data. Try again: another one may be asked.',
  not_ready: 'No liteserver answers. Check the connection of the server to the network.',
  unauthorized: 'The debugger needs an API key here.',
  forbidden: 'The debugger needs an API key here.',
}

const ReplayError = ({ error, onRetry }: { readonly error: Error; onRetry(): void }) => {
  const code = error instanceof RequestError ? error.code : undefined
  return (
    <Card title="Replay">
      <Failure error={error} />
      <p class="card-text replay-advice">
        {code !== undefined && advice[code] !== undefined && <span>{advice[code]}</span>}
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      </p>
    </Card>
  )
}
