export const logoAddressMessage = 'must be a web address or a data URL of a PNG, JPEG, WebP or GIF image'

/** Returns whether a text names an image: a web address, or the image itself as a data URL. */
export const isLogoAddress = (value: string): boolean =>
  /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/.test(value) ||
  (/^https?:\/\//.test(value) && value.length <= 2048 && URL.canParse(value))
