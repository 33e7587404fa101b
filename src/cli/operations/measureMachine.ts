import type { Metrics, Reading } from '../../observe/Metrics.ts'
import type { CheckFigures } from '../../tvm/checkRuns.ts'
import type { OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { WorkerPoolFigures } from '../../tvm/WorkerPool.ts'

/** How the threads of the virtual machine stand. */
export const measureMachine = (metrics: Metrics, vm: Pick<OwnedVirtualMachine, 'figures' | 'checkFigures'>): void => {
  const each = (read: (figures: WorkerPoolFigures) => number) => (): Reading[] =>
    Object.entries(vm.figures()).map(([pool, figures]) => ({ value: read(figures), labels: { pool } }))
  const name = (what: string): string => `chaincenter_vm_${what}`
  if (vm.checkFigures() !== undefined) measureChecks(metrics, () => vm.checkFigures()!)
  metrics.reading(
    'gauge',
    name('threads'),
    'Threads of the virtual machine.',
    each(({ threads }) => threads),
  )
  metrics.reading(
    'gauge',
    name('busy_threads'),
    'Those that are at work.',
    each(({ busy }) => busy),
  )
  metrics.reading(
    'gauge',
    name('waiting_runs'),
    'Runs that wait for a thread.',
    each(({ waiting }) => waiting),
  )
  metrics.reading(
    'counter',
    name('runs_total'),
    'Runs that came to an answer.',
    each(({ done }) => done),
  )
  metrics.reading(
    'counter',
    name('failures_total'),
    'Runs that did not.',
    each(({ failed }) => failed),
  )
}

/** How runs compare with those of the emulator. */
const measureChecks = (metrics: Metrics, read: () => CheckFigures): void =>
  metrics.reading('counter', 'chaincenter_vm_checks_total', 'Runs repeated on the emulator, by outcome.', () => {
    const { checked, different, failed } = read()
    return [
      { value: checked - different, labels: { outcome: 'equal' } },
      { value: different, labels: { outcome: 'different' } },
      { value: failed, labels: { outcome: 'failed' } },
    ]
  })
