import type { RecordedRun, RecordedValue } from '../../chain/recording.ts'

/** The stack before a step of a recording made with differences, bottom first: from the checkpoint before it. */
export const stackBefore = (
  { steps, steps_from: first, checkpoints }: Pick<RecordedRun, 'steps' | 'steps_from' | 'checkpoints'>,
  step: number,
): readonly RecordedValue[] => {
  const known = Object.keys(checkpoints)
    .map(Number)
    .filter((at) => at <= step)
  const from = Math.max(first, ...known)
  const stack = [...(checkpoints[from] ?? [])]
  for (let at = from; at < step; at++) {
    const { pop = 0, push = [] } = steps[at - first] ?? {}
    stack.length = Math.max(0, stack.length - pop)
    stack.push(...push)
  }
  return stack
}

const SHOWN_ITEMS = 8

/** A value on one line. */
export const formatValue = (value: RecordedValue): string => {
  switch (value.t) {
    case 'int':
      return value.v
    case 'nan':
      return 'NaN'
    case 'null':
      return 'null'
    case 'cell':
      return `C{${value.h.slice(0, 8)}}`
    case 'slice':
      return `CS{${value.h.slice(0, 8)} bits ${value.b.join('..')} refs ${value.r.join('..')}}`
    case 'builder':
      return `BC{${value.h.slice(0, 8)}}`
    case 'tuple': {
      const items = value.v.slice(0, SHOWN_ITEMS).map(formatValue)
      return `[${[...items, ...(value.v.length > SHOWN_ITEMS ? ['…'] : [])].join(' ')}]`
    }
    case 'cont':
      return `Cont{${[value.k, value.h?.slice(0, 8)].filter(Boolean).join(' ')}}`
    case 'cut':
      return '…'
  }
}
