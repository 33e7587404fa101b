import type { Metrics, Reading } from '../../observe/Metrics.ts'
import type { OwnedVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import type { WorkerPoolFigures } from '../../tvm/WorkerPool.ts'

/** How the threads of the virtual machine stand. */
export const measureMachine = (metrics: Metrics, vm: Pick<OwnedVirtualMachine, 'figures'>): void => {
  const each = (read: (figures: WorkerPoolFigures) => number) => (): Reading[] =>
    Object.entries(vm.figures()).map(([pool, figures]) => ({ value: read(figures), labels: { pool } }))
  const name = (what: string): string => `chaincenter_vm_${what}`
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
