/** One line of a table: a constructor of a type, or (where `result` is absent) the layout of a message body. */
export type Definition = {
  /** '' for a constructor without a name: its object has no `@type`. */
  readonly name: string
  readonly tag: Tag | undefined
  readonly parts: readonly Part[]
  readonly result: ResultType | undefined
  /** For messages about mistakes. */
  readonly place: string
}

export type Tag = { readonly value: number; readonly bits: number }

export type ResultType = { readonly name: string; readonly parameters: readonly string[] }

export type Part = Field | Constraint

export type Field = {
  readonly kind: 'field'
  /** '' for `_`. */
  readonly name: string
  readonly type: TypeExpression
  /** The field is there only if this number is not zero. */
  readonly condition: Condition | undefined
}

export type Condition = { readonly field: string; readonly bit: number | undefined }

export type Constraint = {
  readonly kind: 'constraint'
  readonly field: string
  readonly operator: '<=' | '>=' | '='
  readonly value: number
}

export type TypeExpression =
  | { readonly kind: 'named'; readonly name: string; readonly arguments: readonly TypeExpression[] }
  | { readonly kind: 'number'; readonly value: NumberExpression }
  | { readonly kind: 'ref'; readonly to: TypeExpression }
  | { readonly kind: 'record'; readonly parts: readonly Part[] }

/** A constant, or an earlier field of the same constructor times a constant. */
export type NumberExpression = { readonly field: string | undefined; readonly factor: number }
