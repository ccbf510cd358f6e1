/** What all documents of clients say alike. */
export const documentMessages = {
  tooMany: 'Too many requests at once, please try again in a minute',
  expired: 'The link may have expired. Please ask the sender for a new one.',
}
