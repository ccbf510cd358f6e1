/** Escapes text for an element or a quoted attribute of HTML or XML. */
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
