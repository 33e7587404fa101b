import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ReplayView } from '../../api/debug/views.ts'
import { groupDigits } from '../model/format.ts'
import { findPage, findStep, registersBefore, type Skip, type Step, stackBefore, type VmRun } from '../model/vmSteps.ts'
import { Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { Hash } from '../parts/links.tsx'
import { Instructions } from './Instructions.tsx'
import { VerdictBadge } from './Outcome.tsx'
import type { LoadedReplay } from './useReplay.ts'
import { type FindCell, RegisterList, Stack } from './Values.tsx'

type StepperProps = {
  readonly replay: ReplayView
  readonly vm: VmRun
  readonly loaded: LoadedReplay
  /** The next instruction; the number of steps at the end of the run. */
  readonly position: number
  onMove(position: number): void
  readonly find: FindCell
}

type Command = 'start' | 'back' | 'forward' | 'over' | 'out' | 'end' | 'failure'

const commands: readonly {
  readonly command: Command
  readonly key: string
  readonly title: string
  readonly about: string
}[] = [
  { command: 'start', key: 'a', title: 'Start', about: 'to the first step' },
  { command: 'back', key: 'k', title: 'Back', about: 'one step back' },
  { command: 'forward', key: 'j', title: 'Step', about: 'one step forward' },
  { command: 'over', key: 'o', title: 'Over', about: 'over what the instruction calls' },
  { command: 'out', key: 'u', title: 'Out', about: 'out of the current call' },
  { command: 'end', key: 'e', title: 'End', about: 'to the end of the run' },
  { command: 'failure', key: 'x', title: 'To failure', about: 'run to the failing step' },
]

/** Instructions beside stack and registers, with buttons and keys to step. */
export const Stepper = ({ replay, vm, loaded, position, onMove, find }: StepperProps) => {
  const total = vm.steps_total
  const failedAt = replay.failure?.step
  const [error, setError] = useState<Error>()
  const searching = useRef<AbortController>(undefined)
  const [isSearching, setSearching] = useState(false)
  useEffect(() => () => searching.current?.abort(), [])
  const skip = async (kind: Skip): Promise<void> => {
    searching.current?.abort()
    const ending = new AbortController()
    searching.current = ending
    setSearching(true)
    try {
      const end = await loaded.skip(position, kind, ending.signal)
      if (!ending.signal.aborted) onMove(end)
      setError(undefined)
    } catch (failure) {
      if (!ending.signal.aborted) setError(failure as Error)
    }
    if (searching.current === ending) setSearching(false)
  }
  const isPossible = (command: Command): boolean => {
    if (command === 'failure') return failedAt !== undefined && position !== failedAt
    return command === 'start' || command === 'back' ? position > 0 : position < total
  }
  const run = (command: Command): void => {
    if (!isPossible(command)) return
    if (command === 'over' || command === 'out') return void skip(command)
    searching.current?.abort()
    const targets = { start: 0, back: position - 1, forward: position + 1, end: total, failure: failedAt ?? position }
    onMove(targets[command])
  }
  useStepKeys(run)
  return (
    <Card
      class="debugger"
      title={<>Instructions {replay.verdict.replay !== 'exact' && <VerdictBadge verdict={replay.verdict} />}</>}
      aside={
        <span class="muted small" role="status">
          {position === total ? 'End' : `Step ${groupDigits(position)}`} of {groupDigits(total)}
          {isSearching && ', searching…'}
        </span>
      }
    >
      <div class="step-bar" role="toolbar" aria-label="Stepping">
        {commands.map(({ command, key, title, about }) =>
          command === 'failure' && failedAt === undefined ? null : (
            <button
              key={command}
              type="button"
              class="button is-small"
              title={`${about} (${key})`}
              aria-keyshortcuts={key}
              disabled={!isPossible(command)}
              onClick={() => run(command)}
            >
              {title} <kbd>{key}</kbd>
            </button>
          ),
        )}
      </div>
      {(error ?? loaded.pageError) !== undefined && <Failure error={(error ?? loaded.pageError)!} />}
      <div class="vm-columns">
        <Instructions
          total={total}
          pages={loaded.pages}
          position={position}
          failedAt={failedAt}
          onMove={onMove}
          want={loaded.want}
        />
        <Machine vm={vm} loaded={loaded} position={position} find={find} />
      </div>
    </Card>
  )
}

/** Keys anywhere on the page, except where the reader types; not after g, which starts a shortcut to another page. */
const useStepKeys = (run: (command: Command) => void): void => {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    let isAfterG = false
    const onKey = (event: KeyboardEvent): void => {
      const isShortcut = isAfterG
      isAfterG = event.key === 'g'
      if (isShortcut || event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.target as HTMLElement).matches('input, textarea, select, [contenteditable]')) return
      if (document.querySelector('dialog[open]') !== null) return
      const found = commands.find(({ key }) => key === event.key)
      if (found === undefined) return
      event.preventDefault()
      latest.current(found.command)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

type MachineProps = Pick<StepperProps, 'vm' | 'loaded' | 'position' | 'find'>

/** The machine before the current step. */
const Machine = ({ vm, loaded: { pages }, position, find }: MachineProps) => {
  const before = findStep(pages, position - 1)
  if (position >= vm.steps_total) {
    const { stack, c4, c5 } = vm.final
    return (
      <div class="vm-machine">
        <h3>At the end</h3>
        <Facts
          facts={[
            ['Exit code', <span class={vm.exit_code > 1 || vm.exit_code < 0 ? 'bad' : ''}>{vm.exit_code}</span>],
            ['Gas', `${groupDigits(vm.gas.used)} used`],
          ]}
        />
        <h3>Stack</h3>
        <Stack stack={stack} added={before?.push?.length ?? 0} taken={0} find={find} />
        <h3>Registers</h3>
        <RegisterList registers={{ c4, c5 }} changed={undefined} find={find} />
      </div>
    )
  }
  const page = findPage(pages, position)
  const step = findStep(pages, position)
  if (page === undefined || step === undefined) {
    return (
      <div class="vm-machine">
        <Loading lines={8} />
      </div>
    )
  }
  return (
    <div class="vm-machine">
      <StepFacts step={step} />
      <h3 class="vm-legend">
        Stack <span class="is-added">new</span> <span class="is-taken">taken by this step</span>
      </h3>
      <Stack stack={stackBefore(page, position)} added={before?.push?.length ?? 0} taken={step.pop ?? 0} find={find} />
      <h3>Registers</h3>
      <RegisterList registers={registersBefore(page, position)} changed={before?.reg} find={find} />
    </div>
  )
}

const StepFacts = ({ step: { op, cell, offset, gas, left, d, exc, act, child } }: { readonly step: Step }) => (
  <>
    <h3 class="mono vm-current">{op}</h3>
    {exc !== undefined && (
      <p class={exc.caught ? 'vm-exception muted' : 'vm-exception bad'}>
        Throws {exc.code}
        {exc.text !== 'exception' && `: ${exc.text}`}
        {exc.caught ? ' (caught by the contract)' : ''}
      </p>
    )}
    <Facts
      facts={[
        [
          'Cell',
          <>
            <Hash hash={cell} what="hash of the cell" /> bit {offset}
          </>,
        ],
        ['Gas', `${groupDigits(gas)} used, ${groupDigits(left)} left`],
        ['Call depth', String(d)],
        act !== undefined && ['Queues', `action ${act}`],
        child !== undefined && [
          'Runs inside',
          `${groupDigits(child.steps_total)} steps, ${groupDigits(child.gas.used)} gas, exit code ${child.exit_code}`,
        ],
      ]}
    />
  </>
)
