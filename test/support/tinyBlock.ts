import { fromBase64 } from '../../src/primitives/base64.ts'

/** A real block without messages, the second of the basechain of a private network, byte for byte as its node stored it. */
export const tinyBlock = fromBase64(
  [
    'te6ccuECEQEAAscAABwAxADeAXACBAKgAzwDRgNYA6QECgRABEgFEAWABYgFjwQQEe9Vqv///PcBAgMEAqCbx6mHAAAAAIABAAAAAgAAAAAAAA',
    'AAAAAAAAAAAAAAavkhIAAAAAAALcbAAAAAAAAtxsG9jTahAAAAAAAAAAEAAAAAxAAAAA8AAAAAAAAD7gUGAhG45I37Q7msoAQHCAqKBCWfsMnJ',
    'nIHjJojv+TfMbwZFz6ngxFW2Hcbt/6ipabSITTycaa6IHPm0mzVvvHujGAD5FqIv73EwKx4ZcsHuOHQAAgACCQoDiUoz9v12nwiWM0XkICmmQr',
    '0+qLcD1rOx9TtBPyyBHlCkqLlYySqVf6nHy0IsX0j0DuDJKXhCSLNHzLMR06bULVNe6btfQA8QEACYAAAAAAAPQkwAAAABZLkCmqgr0f3MKK8i',
    '28Gs35xwu0s2SZsZCPHrsmcJnH+8Hidyiowkk5bFIH/q1iC9pQw0jmDxoDBfizu4mOrD6wCYAAAAAAAehIEAAAABSgCXNvtxe4wn0p4vIevuZ9',
    'XS/5czjPg/ucv7ZobPL0MZbBOZiPGbuG+SOVQ5Kp6tIh8f0tbKCkwJkfY5Tu70jQAFAAAIAA0AEO5rKAAIKEgBASWfsMnJnIHjJojv+TfMbwZF',
    'z6ngxFW2Hcbt/6ipabSIAAIDW5Ajr+L///z3AAAAAAAAAAAAAAAAAAAAAAIAAAAAavkhIAAAAAAALcbBAAAAASALDA0BLwAAAAAAAAAAYAAAAA',
    'AAAAAAgAAAAAAAQA4AAwAQAMMAAAAAAAAAAAAAAAAAAAADAjuaygAQAAAAAAD0JMAAAAAWS5ApqoK9H9zCivItvBrN+ccLtLNkmbGQjx67JnCZ',
    'x/vB4ncoqMJJOWxSB/6tYgvaUMNI5g8aAwX4s7uJjqw+uABrsEAAAAAAAAAAAAAAAIAAAAAAB6El//////////////////////////////////',
    '/////////AAAMAIAABArt9YPA=',
  ].join(''),
)
