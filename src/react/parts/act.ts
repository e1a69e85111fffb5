/**
 * What a press asks of the server that has drawn the page, where no script has taken it over: such
 * a page has the form that the button names. Elsewhere no page has it, and the button belongs to no
 * form, whatever is around it.
 */
export const act = (value: string) => ({ type: 'submit', form: 'pw-act', name: 'act', value }) as const
