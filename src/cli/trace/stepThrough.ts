import { createInterface } from 'node:readline/promises'
import type { VmView } from '../../api/debug/vmViews.ts'
import { formatValue, stackBefore } from '../../debug/result/stackAt.ts'
import { formatSteps } from './formatReport.ts'

type Terminal = { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream }

const AROUND = 5
const JUMP = 10
const SHOWN_VALUES = 16
const HELP = 'n next, p previous, N and P ten steps, f failure, g NUMBER, q quit'

/** Steps through a run: shows where it is, and reads a command. */
export const stepThrough = async (
  vm: VmView,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> => {
  const last = vm.steps_from + vm.steps.length - 1
  const failedAt = vm.failure?.step
  let at = failedAt !== undefined && failedAt <= last ? failedAt : vm.steps_from
  const terminal = createInterface({ input, output })
  try {
    output.write(`${showStep(vm, at)}\n${HELP}\n`)
    for await (const text of terminal) {
      const next = moveBy(text.trim(), at, failedAt)
      if (next === 'quit') return
      if (next === undefined) output.write(`${HELP}\n`)
      else {
        at = Math.min(last, Math.max(vm.steps_from, next))
        output.write(`${showStep(vm, at)}\n`)
      }
    }
  } finally {
    terminal.close()
  }
}

const moveBy = (command: string, at: number, failedAt: number | undefined): number | 'quit' | undefined => {
  switch (command) {
    case '':
    case 'n':
      return at + 1
    case 'p':
      return at - 1
    case 'N':
      return at + JUMP
    case 'P':
      return at - JUMP
    case 'f':
      return failedAt ?? at
    case 'q':
      return 'quit'
    default: {
      const [, wanted] = /^g? *([0-9]{1,9})$/.exec(command) ?? []
      return wanted === undefined ? undefined : Number(wanted)
    }
  }
}

const showStep = (vm: VmView, at: number): string => {
  const lines = formatSteps(vm, { from: at - AROUND, to: at + AROUND + 1, top: 0 })
  const marked = lines.map((line) => (Number(line.slice(0, 6)) === at ? `>${line.slice(1)}` : line))
  const stack = stackBefore(vm, at)
  const values = stack
    .slice(-SHOWN_VALUES)
    .reverse()
    .map((value, k) => `  s${k}  ${formatValue(value)}`)
  return ['', ...marked, `stack (${stack.length} values)`, ...values].join('\n')
}
