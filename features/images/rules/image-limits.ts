/** Of one image as it is downloaded. */
export const imageBytesMax = 20_000_000;

/** Of a progressive JPEG; encoders write about ten. Each costs a pass over the whole picture: 2,648 of them took 30 s. */
export const scansMax = 100;

/**
 * Maximum memory of each decoder. The bytes per pixel were measured with 25 and 50 million pixels of one colour. The worst kind
 * of each format was used (16-bit PNG, progressive JPEG, 12-bit AVIF). None takes more than an account may have at once.
 */
export const decoderCosts = {
  // Cameras of 50 million pixels have up to 50.4 (8192 × 6144, 8688 × 5792).
  jpeg: { pixelsMax: 51_000_000, bytesPerPixel: 5 },
  png: { pixelsMax: 51_000_000, bytesPerPixel: 5 },
  // Its lines are complete only at the end of the file.
  interlacedPng: { pixelsMax: 32_000_000, bytesPerPixel: 11 },
  gif: { pixelsMax: 51_000_000, bytesPerPixel: 6 },
  webp: { pixelsMax: 51_000_000, bytesPerPixel: 5 },
  // An AVIF of 2 KB can hold any size, and is decoded as a whole: 320 MB, or 350 MB with more than 8 bits per colour.
  heif: { pixelsMax: 16_000_000, bytesPerPixel: 20 },
  deepHeif: { pixelsMax: 13_000_000, bytesPerPixel: 27 },
} as const;
