import type { Cell } from '../../codec/cell/Cell.ts'
import { findMethodName } from '../../debug/methodNames.ts'
import { disassemble } from '../../tvm/disassemble.ts'
import type { Finding } from './describe.ts'

/** The instructions of code: of each method, and of what comes before them. */
export const describeCode = (root: Cell): Finding => {
  const { lines, methods } = disassemble(root)
  return {
    kind: 'code',
    instructions: lines,
    methods: methods.map(({ id, lines: body }) => ({
      method: findMethodName(id) ?? `method ${id}`,
      id,
      instructions: body,
    })),
  }
}
