import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

export type ValidatorCounts = {
  readonly maxValidators: number
  readonly maxMainValidators: number
  readonly minValidators: number
}

/** _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16; */
export const readValidatorCounts = (r: CellReader): ValidatorCounts => ({
  maxValidators: r.readUint(16),
  maxMainValidators: r.readUint(16),
  minValidators: r.readUint(16),
})

export const writeValidatorCounts = (w: CellWriter, counts: ValidatorCounts): void => {
  w.writeUint(counts.maxValidators, 16).writeUint(counts.maxMainValidators, 16).writeUint(counts.minValidators, 16)
}
