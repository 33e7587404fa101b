import { Type } from 'typebox'
import type {
  RecordedRegisters,
  RecordedRun,
  RecordedStep,
  RecordedValue,
  RunSummary,
  VmRecording,
} from '../../chain/recording.ts'
import { HashText } from '../v3/views/scalars.ts'

/** A value of the stack: see the member `t`. */
const StackValueView = Type.Unsafe<RecordedValue>(
  Type.Object(
    { t: Type.String({ description: 'int, nan, null, cell, slice, builder, tuple, cont; cut where it is left out.' }) },
    {
      additionalProperties: true,
      $id: 'StackValue',
      description: 'Numbers have v (decimal), tuples v (values), cells, slices, builders and continuations h (hash).',
    },
  ),
)

const Values = Type.Array(StackValueView)

const RegistersView = Type.Unsafe<RecordedRegisters>(
  Type.Object({}, { additionalProperties: true, $id: 'Registers', description: 'c0 to c3, c4, c5, and c7 by path.' }),
)

const ExceptionMembers = { code: Type.Integer(), text: Type.String(), caught: Type.Boolean() }

const LocationView = Type.Object({ cell: HashText, offset: Type.Integer() }, { $id: 'CodeLocation' })

const FailureMembers = {
  ...ExceptionMembers,
  step: Type.Optional(Type.Integer()),
  location: Type.Optional(LocationView),
}

/** One step; the stack is a difference unless something else was asked for. */
const StepView = Type.Unsafe<RecordedStep>(
  Type.Object(
    {
      i: Type.Integer({ description: 'From 0.' }),
      cell: HashText,
      offset: Type.Integer({ description: 'Bit offset in the cell.' }),
      op: Type.String({ description: 'Instruction with operands.' }),
      gas: Type.Integer(),
      left: Type.Integer(),
      d: Type.Integer({ description: 'Call depth.' }),
      pop: Type.Optional(Type.Integer({ description: 'Values to take off the stack.' })),
      push: Type.Optional(Type.Array(StackValueView, { description: 'Values to put on it then.' })),
      stack: Type.Optional(Values),
      depth: Type.Optional(Type.Integer()),
      reg: Type.Optional(RegistersView),
      act: Type.Optional(Type.Integer({ description: 'Index of the action that it queued.' })),
      exc: Type.Optional(Type.Object(ExceptionMembers)),
      child: Type.Optional(Type.Unsafe<RecordedRun>(Type.Object({}, { additionalProperties: true }))),
    },
    { $id: 'Step' },
  ),
)

const SummaryView = Type.Unsafe<RunSummary>(
  Type.Object(
    {
      truncated: Type.Boolean(),
      methods: Type.Array(
        Type.Object({ id: Type.Integer(), runs: Type.Integer(), self: Type.Integer(), total: Type.Integer() }),
      ),
      cells: Type.Array(
        Type.Object({
          hash: HashText,
          loads_first: Type.Integer(),
          loads_again: Type.Integer(),
          gas: Type.Integer(),
          runs: Type.Integer(),
          steps: Type.Integer(),
        }),
      ),
      instructions: Type.Array(Type.Object({ op: Type.String(), count: Type.Integer(), gas: Type.Integer() })),
      loads: Type.Object({ first: Type.Integer(), again: Type.Integer() }),
      stacks: Type.Array(
        Type.Object({
          frames: Type.Array(Type.Object({}, { additionalProperties: true })),
          gas: Type.Integer(),
          steps: Type.Integer(),
        }),
      ),
      coverage: Type.Array(
        Type.Object({
          cell: HashText,
          instructions: Type.Array(Type.Array(Type.Integer())),
          branches: Type.Array(Type.Array(Type.Integer())),
        }),
      ),
    },
    {
      $id: 'RunSummary',
      description: 'Gas by method, cell, instruction and call stack, and coverage, of the whole run.',
    },
  ),
)

const runMembers = {
  code_hash: HashText,
  gas: Type.Object({ limit: Type.Integer(), credit: Type.Integer(), used: Type.Integer(), price: Type.String() }),
  steps_total: Type.Integer(),
  steps_from: Type.Integer(),
  truncated: Type.Boolean(),
  exit_code: Type.Integer(),
  exit_arg: Type.Optional(Type.Integer()),
  steps: Type.Array(StepView),
  checkpoints: Type.Record(Type.String(), Values, { description: 'Full stack before a step, by its number.' }),
  failure: Type.Optional(Type.Object(FailureMembers)),
  throws: Type.Array(Type.Object({ ...ExceptionMembers, step: Type.Integer() })),
}

/** A run without its cells, which stand beside it. */
export type VmView = Omit<VmRecording, 'cells' | 'cells_left_out' | 'actions'>

export const VmView = Type.Unsafe<VmView>(
  Type.Object(
    {
      ...runMembers,
      entry: Type.Object({ method_id: Type.Integer(), name: Type.Optional(Type.String()) }),
      precompiled: Type.Optional(Type.Literal(true)),
      final: Type.Object({ stack: Values, c4: Type.String(), c5: Type.String() }),
      registers: Type.Optional(RegistersView),
      children: Type.Array(
        Type.Object({
          path: Type.Array(Type.Integer()),
          code_hash: HashText,
          exit_code: Type.Integer(),
          gas_used: Type.Integer(),
          steps_total: Type.Integer(),
          failure: Type.Optional(Type.Object(FailureMembers)),
        }),
      ),
      summary: SummaryView,
    },
    { $id: 'VmRun' },
  ),
)

export const toVmView = ({ cells: _, cells_left_out: __, actions: ___, ...run }: VmRecording): VmView => run

export const CellsView = Type.Record(Type.String(), Type.String(), {
  description: 'Cells of stack and registers: hash to bag of cells, both base64.',
})
